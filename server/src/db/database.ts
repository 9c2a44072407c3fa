import { Pool } from 'pg';
import type { ClientBase, ClientConfig, PoolClient, PoolConfig, QueryResult } from 'pg';
import { BY_INDEX_SETTINGS } from './plan-by-index.ts';
import { KEEP_ALIVE, SESSION_SETTINGS, withSettings } from './session.ts';
import type { Settings } from './session.ts';
import type { Sql } from './sql.ts';
import { driverError, leavesConnectionUsable } from './errors.ts';
import { columnTypes } from './types.ts';
import { runTransaction } from './transaction.ts';
import { requireConfirmed, watchCommits } from './unconfirmed.ts';
import type { TransactionOptions } from './transaction.ts';

/** What a store works with: the pool itself, or the one connection of a transaction. */
export type Db = {
  many<Row>(query: Sql): Promise<Row[]>;
  /** Exactly one row; anything else is a bug. */
  one<Row>(query: Sql): Promise<Row>;
  maybeOne<Row>(query: Sql): Promise<Row | null>;
  /** The number of rows the statement touched. */
  execute(query: Sql): Promise<number>;
};

export type Database = Db & {
  /** For reads written for one index each, on connections that plan for that. */
  byIndex: Db;
  /** Runs `work` between BEGIN and COMMIT, again when the database asks for it: no side effects inside. */
  transaction<T>(work: (tx: Db) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** The connections as they are at this moment. */
  poolLoad(): PoolLoad;
  close(): Promise<void>;
};

export type PoolLoad = { open: number; idle: number; waiting: number; most: number };

export type DatabaseOptions = {
  maxConnections?: number;
  /** Of every connection, beside those that all have. */
  settings?: Settings;
  /** A connection broke while nothing was running on it. The pool has already replaced it. */
  onError: (error: Error) => void;
};

// The server gives up first (statement_timeout), so that the connection survives; the client's own
// limit is for a server that no longer responds at all.
const LIMITS = {
  connectionTimeoutMillis: 1_500,
  statement_timeout: 5_000,
  query_timeout: 6_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 10_000,
} as const;

/** Each takes a millisecond or two; a transaction with these settings would take two round trips more. */
const BY_INDEX_CONNECTIONS = 3;

export function openDatabase(connection: ClientConfig, options: DatabaseOptions): Database {
  const { onError, maxConnections = 10, settings = {} } = options;
  const pool = openPool({ ...connection, max: maxConnections }, settings, onError);
  const byIndex = openPool(
    { ...connection, max: BY_INDEX_CONNECTIONS },
    { ...settings, ...BY_INDEX_SETTINGS },
    onError,
  );
  const pools = [pool, byIndex];
  const connect = () => connectTo(pool);
  const sumOf = (count: (pool: Pool) => number) =>
    pools.reduce((sum, each) => sum + count(each), 0);
  return {
    ...dbOf(runIn(pool)),
    byIndex: dbOf(runIn(byIndex)),
    async transaction(work, transactionOptions) {
      return runTransaction(connect, (client) => work(dbOf(runOn(client))), transactionOptions);
    },
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
    // The last connections may be cut by a server that stops with us.
    if (!pool.ending) onError(error);
  });
  // A connection lost between two statements of a transaction reports here and nowhere else;
  // without a listener that would end the process. The next statement on it fails by itself.
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

/** The same interface on a single connection that the caller owns. */
export function databaseOn(client: ClientBase): Db {
  return dbOf(runOn(client));
}

type Run = (query: Sql) => Promise<QueryResult>;

function runOn(client: ClientBase): Run {
  return async ({ name, text, values }) => {
    try {
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
