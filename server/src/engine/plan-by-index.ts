import { SESSION_OPTIONS } from '../db/database.ts';

/**
 * Every statement of the engine touches a few hundred rows by their keys. Planned while tables are
 * small, the planner would read them whole, and keep that plan while they grow.
 */
export const PLAN_BY_INDEX = `${SESSION_OPTIONS} -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off`;
