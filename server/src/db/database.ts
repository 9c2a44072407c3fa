import { setTimeout as delay } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import type { ClientBase, ClientConfig, PoolClient, PoolConfig, QueryResult } from 'pg';
import { columnTypes } from './columns.ts';
import { refusedDatabase } from './connect-error.ts';
import {
  DatabaseUnavailable,
  driverError,
  isServerError,
  leavesConnectionUsable,
  requireConfirmed,
  watchCommits,
} from './errors.ts';
import { BY_INDEX_SETTINGS, statementName } from './sql.ts';
import type { Sql } from './sql.ts';

export type Db = {
  many<Row>(query: Sql): Promise<Row[]>;
  one<Row>(query: Sql): Promise<Row>;
  maybeOne<Row>(query: Sql): Promise<Row | null>;
  execute(query: Sql): Promise<number>;
};

export type Database = Db & {
  /** These reads are written for one index each, on connections that plan for that. */
  byIndex: Db;
  /** The work runs again when the database asks for it, so it has no side effects. */
  transaction<T>(work: (tx: Db) => Promise<T>, options?: TransactionOptions): Promise<T>;
  poolLoad(): { open: number; idle: number; waiting: number; most: number };
  close(): Promise<void>;
};

type DatabaseOptions = {
  maxConnections?: number;
  settings?: Settings;
  onError: (error: Error) => void;
};

// The server's statement_timeout ends first, so that the connection survives; ours is for a dead server.
const LIMITS = {
  connectionTimeoutMillis: 1_500,
  statement_timeout: 5_000,
  query_timeout: 6_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 10_000,
} as const;

/** Each read takes a millisecond or two; a transaction with these settings would take two round trips more. */
const BY_INDEX_CONNECTIONS = 3;

export function openDatabase(connection: ClientConfig, options: DatabaseOptions): Database {
  const { onError, maxConnections = 10, settings = {} } = options;
  const indexed = { ...settings, ...BY_INDEX_SETTINGS };
  const pool = openPool({ ...connection, max: maxConnections }, settings, onError);
  const byIndex = openPool({ ...connection, max: BY_INDEX_CONNECTIONS }, indexed, onError);
  const pools = [pool, byIndex];
  const sumOf = (count: (pool: Pool) => number) =>
    pools.reduce((sum, each) => sum + count(each), 0);
  return {
    ...dbOf(runIn(pool)),
    byIndex: dbOf(runIn(byIndex)),
    transaction: (work, transactionOptions) => runTransaction(pool, work, transactionOptions),
    poolLoad: () => ({
      open: sumOf(({ totalCount }) => totalCount),
      idle: sumOf(({ idleCount }) => idleCount),
      waiting: sumOf(({ waitingCount }) => waitingCount),
      most: sumOf((each) => each.options.max),
    }),
    async close() {
      await Promise.all(pools.map((each) => each.end()));
    },
  };
}

function openPool(
  config: PoolConfig,
  settings: Settings,
  onError: DatabaseOptions['onError'],
): Pool {
  const pool = new Pool({
    application_name: 'meridian',
    ...withSettings({ ...LIMITS, ...config }, { ...SESSION_SETTINGS, ...settings }),
    idleTimeoutMillis: 30_000,
    ...KEEP_ALIVE,
    types: columnTypes,
  });
  pool.on('error', (error) => {
    // A server that stops together with this process may cut the last connections.
    if (!pool.ending) onError(error);
  });
  // Without a listener, a connection lost between two statements of a transaction would end the process.
  pool.on('connect', (client) => {
    client.on('error', () => {});
    watchCommits(client);
  });
  return pool;
}

async function connectTo(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw driverError(error);
  }
}

function runIn(pool: Pool): Run {
  return async (query) => {
    const client = await connectTo(pool);
    try {
      const result = await runOn(client)(query);
      client.release();
      return result;
    } catch (error) {
      client.release(!leavesConnectionUsable(error));
      throw error;
    }
  };
}

export function databaseOn(client: ClientBase): Db {
  return dbOf(runOn(client));
}

type Run = (query: Sql) => Promise<QueryResult>;

function runOn(client: ClientBase): Run {
  return async ({ text, values }) => {
    try {
      const name = statementName(text);
      const named = name !== undefined && { name };
      const result = await client.query({ ...named, text, values: [...values] });
      requireConfirmed(client);
      return result;
    } catch (error) {
      // The driver's own trace ends at the socket; this one leads to the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw driverError(error);
    }
  };
}

function dbOf(run: Run): Db {
  // The text of the statement decides the shape of its rows; the caller names it beside the text.
  const many = async <Row>(query: Sql) => (await run(query)).rows as Row[];
  const maybeOne = async <Row>(query: Sql) => {
    const [first, second] = await many<Row>(query);
    if (second !== undefined) throw new Error('A query for one row found several');
    return first ?? null;
  };
  return {
    many,
    maybeOne,
    async one<Row>(query: Sql) {
      const row = await maybeOne<Row>(query);
      if (row === null) throw new Error('A query for one row found none');
      return row;
    },
    execute: async (query) => (await run(query)).rowCount ?? 0,
  };
}

type TransactionOptions = {
  isolation?: 'read committed' | 'repeatable read' | 'serializable';
  readOnly?: boolean;
};

const ATTEMPTS = 3;
/** 40001 is a serialization failure, 40P01 a deadlock. */
const ASKS_FOR_RETRY = new Set(['40001', '40P01']);

async function runTransaction<T>(
  pool: Pool,
  work: (tx: Db) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce(await connectTo(pool), work, beginText(options));
    } catch (error) {
      const mayRetry = isServerError(error) && ASKS_FOR_RETRY.has(error.code ?? '');
      if (attempt === ATTEMPTS || !mayRetry) throw error;
      // Jitter keeps two transactions that collided from meeting again.
      await delay(Math.random() * 25 * attempt);
    }
  }
}

async function attemptOnce<T>(
  client: PoolClient,
  work: (tx: Db) => Promise<T>,
  begin: string,
): Promise<T> {
  try {
    await control(client, begin);
    const result = await work(databaseOn(client));
    const { command } = await control(client, 'COMMIT');
    // The server reports ROLLBACK when a statement failed and its error was swallowed on the way.
    if (command !== 'COMMIT')
      throw new Error('A transaction with a failed statement was committed');
    client.release();
    return result;
  } catch (error) {
    // A rollback on a connection that no longer responds would be a second wait as long as the first.
    if (error instanceof DatabaseUnavailable) client.release(true);
    else await rollBack(client, error);
    throw error;
  }
}

async function control(client: PoolClient, text: string): Promise<QueryResult> {
  try {
    const result = await client.query(text);
    requireConfirmed(client);
    return result;
  } catch (error) {
    throw driverError(error);
  }
}

async function rollBack(client: PoolClient, error: unknown): Promise<void> {
  try {
    await client.query('ROLLBACK');
    client.release(isServerError(error) && !leavesConnectionUsable(error));
  } catch {
    // The first error says what went wrong; this one only says that the connection is gone too.
    client.release(true);
  }
}

function beginText({ isolation, readOnly }: TransactionOptions): string {
  const level = isolation === undefined ? '' : ` ISOLATION LEVEL ${isolation.toUpperCase()}`;
  return `BEGIN${level}${readOnly === true ? ' READ ONLY' : ''}`;
}

type Settings = Readonly<Record<string, string | number | false | undefined>>;

/** These settings apply whatever the server, the database or the role has set. */
export const SESSION_SETTINGS = {
  // Planning anew for each set of values takes longer than most statements run.
  plan_cache_mode: 'force_generic_plan',
  // The planner takes a statement that ends early for one that reads a whole table, and compiling takes 60 ms.
  jit: 'off',
  datestyle: 'ISO',
  // Single statements are not repeated, as serializable ones would have to be.
  default_transaction_isolation: 'read committed',
} as const satisfies Settings;

/** PgBouncer refuses a connection that brings settings with its first packet. */
export function settingStatements(settings: Settings): string {
  return Object.entries(settings)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => `set ${name} = '${value}'`)
    .join('; ');
}

/** The pool gives no connection out before its settings are set, and drops one on which that fails. */
function withSettings(config: PoolConfig, settings: Settings): PoolConfig {
  const { statement_timeout, lock_timeout, idle_in_transaction_session_timeout, ...rest } = config;
  const limits = { statement_timeout, lock_timeout, idle_in_transaction_session_timeout };
  const statements = settingStatements({ ...settings, ...limits });
  // The pool waits for the promise, though its type does not say so.
  const onConnect = (client: ClientBase): unknown => client.query(statements);
  return statements === '' ? rest : { ...rest, onConnect };
}

/** A peer that vanished without a word is noticed within half a minute. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 20_000 } as const;

/** Without its listener, a connection that breaks between two statements would end the process. */
export function newClient(config: ClientConfig): Client {
  const client = new Client(config);
  client.on('error', () => {});
  return client;
}

/** The time is longer than a statement of the queue waits for a lock; a vanished peer never responds. */
const JOB_QUERY_MS = 30_000;

/** Without listeners a broken connection would end the process. */
export function openJobPool(
  connection: ClientConfig,
  max: number,
  onError: (error: Error) => void,
): Pool {
  const pool = new Pool({
    application_name: 'meridian-jobs',
    connectionTimeoutMillis: 60_000,
    query_timeout: JOB_QUERY_MS,
    ...withSettings(connection, {}),
    ...KEEP_ALIVE,
    // A connection that was opened while the database was read only never writes.
    maxLifetimeSeconds: 60,
    max,
  });
  pool.on('error', (error) => {
    if (!pool.ending) onError(error);
  });
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

const ROUNDS = 4;
const TIME_LIMIT_MS = 10_000;

/**
 * A pooler that gives one session to several connections would leave locks and settings behind on others.
 * Two connections take turns, which shows it whatever the order in which a pooler hands out backends.
 */
export async function requireOwnSession(client: Client, connection: ClientConfig): Promise<void> {
  const limits = { connectionTimeoutMillis: TIME_LIMIT_MS, query_timeout: TIME_LIMIT_MS };
  const other = newClient({ ...connection, ...limits });
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

/** Limits that an operator has set for a role or a database are meant for requests, not for long work. */
export async function liftTimeLimits(client: ClientBase): Promise<void> {
  await client.query(`
    select set_config(name, '0', false) from pg_settings
    where name in ('statement_timeout', 'lock_timeout', 'transaction_timeout',
                   'idle_in_transaction_session_timeout')`);
}
