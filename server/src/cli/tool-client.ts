import { Client } from 'pg';
import type { ClientConfig } from 'pg';
import { connectError } from '../db/connect-error.ts';
import { databaseOn } from '../db/database.ts';
import type { Db } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { requireCurrentOrEmpty, requireCurrentSchema } from '../db/schema-check.ts';
import { liftTimeLimits } from '../db/time-limits.ts';
import { columnTypes } from '../db/types.ts';

/** One connection without time limits, for a command that may take long. */
export async function withClient<T>(
  connection: ClientConfig,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionTimeoutMillis: 15_000, types: columnTypes, ...connection });
  // A connection that breaks between two statements reports here; the next statement then fails.
  client.on('error', () => {});
  try {
    await client.connect().catch((error: unknown) => {
      throw connectError(client, error);
    });
    // Times are parsed, and copied to other databases, in this style, whichever one the server has set.
    await client.query('set datestyle = ISO');
    await liftTimeLimits(client);
    return await work(client);
  } finally {
    // Also after a refused authentication: the server would keep the connection for a minute.
    await client.end();
  }
}

/** The same, but read only, which the database enforces, and only on Meridian's schema. */
export async function withReadOnlyClient<T>(
  connection: ClientConfig,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  return withClient(connection, async (client) => {
    // A statement, not a startup option: options in the address would override it.
    await client.query('set default_transaction_read_only = on');
    await requireCurrentSchema(client);
    return work(client);
  });
}

/** One snapshot of the database, for a command that only reads. */
export async function withSnapshot<T>(
  connection: ClientConfig,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  return withReadOnlyClient(connection, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    return work(databaseOn(client));
  });
}

/** Creates the schema in an empty database. An existing one is never migrated: the server does that. */
export async function prepareSchema(connection: ClientConfig, advice?: string): Promise<void> {
  const state = await withClient(connection, (client) => requireCurrentOrEmpty(client, advice));
  if (state === 'empty') await migrate(connection);
}
