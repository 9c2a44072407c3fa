import { sql } from './sql.ts';

/**
 * For statements written for one index each: without values the planner takes a range for small, and
 * would rather collect and sort all of it than stop at the limit.
 */
const OFF = ['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin'];

/**
 * Every statement of the engine touches a few hundred rows by their keys. Planned while tables are
 * small, the planner would read them whole, and keep that plan while they grow.
 */
export const ENGINE_PLANS = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

/** For a whole connection. */
export const BY_INDEX_SETTINGS = Object.fromEntries(OFF.map((name) => [name, 'off']));

/** Until the end of the transaction. */
export const PLAN_BY_INDEX_LOCALLY = sql`
  select ${sql.join(OFF.map((name) => sql`set_config(${name}, 'off', true)`))}`;
