import { Client } from 'pg';
import type { ClientBase, ClientConfig, PoolConfig } from 'pg';
import { refusedDatabase } from './connect-error.ts';

/** Settings of a connection by name, as this code writes them; a number is in milliseconds, undefined is left as it is. */
export type Settings = Readonly<Record<string, string | number | false | undefined>>;

/**
 * Every statement is planned once per connection. Planning anew for each set of values takes longer
 * than most of them run, and none is written so that its plan would depend on them. Times arrive in the
 * style that is parsed here, and statements see what is committed, whatever the server, the database or
 * the role has set: single ones are not repeated, as serializable ones would have to be. None is compiled
 * (JIT): the planner takes one that ends early for one that reads a whole table, and compiling it for
 * every execution takes longer, 60 ms, than any of them runs.
 */
export const SESSION_SETTINGS = {
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  datestyle: 'ISO',
  default_transaction_isolation: 'read committed',
} as const satisfies Settings;

/**
 * Statements to send once, right after connecting. A connection that brings settings with its first packet
 * instead is refused by PgBouncer.
 */
export function settingStatements(settings: Settings): string {
  return Object.entries(settings)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => `set ${name} = '${value}'`)
    .join('; ');
}

/**
 * For a pool whose connections have these settings, and the limits that its configuration names. The pool gives
 * no connection out before they are set, and drops one on which that fails.
 */
export function withSettings(config: PoolConfig, settings: Settings): PoolConfig {
  const { statement_timeout, lock_timeout, idle_in_transaction_session_timeout, ...rest } = config;
  const limits = { statement_timeout, lock_timeout, idle_in_transaction_session_timeout };
  const statements = settingStatements({ ...settings, ...limits });
  // The pool waits for it, though its type does not say so.
  const onConnect = (client: ClientBase): unknown => client.query(statements);
  return statements === '' ? rest : { ...rest, onConnect };
}

/** A peer that vanished without a word, as with a moved address, is noticed within half a minute. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 20_000 } as const;

const ROUNDS = 4;
const TIME_LIMIT_MS = 10_000;

/**
 * Refuses a pooler that gives one session to several connections: locks and settings would stay behind on
 * connections that others use. Two connections take turns, so that it shows with a pooler that hands out the
 * backend used last and with one that goes through all of them. Nothing is locked or set.
 */
export async function requireOwnSession(client: Client, connection: ClientConfig): Promise<void> {
  const limits = { connectionTimeoutMillis: TIME_LIMIT_MS, query_timeout: TIME_LIMIT_MS };
  const other = new Client({ ...connection, ...limits });
  // Without a listener a connection that breaks between two statements would end the process.
  other.on('error', () => {});
  try {
    await other.connect();
    const [own, foreign] = [await backendOf(client), await backendOf(other)];
    let isOwn = own !== foreign;
    for (let round = 1; isOwn && round <= ROUNDS; round += 1) {
      isOwn = (await backendOf(other)) === foreign && (await backendOf(client)) === own;
    }
    if (!isOwn) {
      throw refusedDatabase(
        client,
        'a connection pooler in front of it gives a session to several connections (transaction pooling); set pool_mode = session there, or set DATABASE_URL to the database itself',
      );
    }
  } finally {
    await other.end();
  }
}

async function backendOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}
