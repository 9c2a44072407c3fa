import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import {
  DatabaseUnavailable,
  driverError,
  isServerError,
  leavesConnectionUsable,
} from './errors.ts';
import { requireConfirmed } from './unconfirmed.ts';

export type TransactionOptions = {
  isolation?: 'read committed' | 'repeatable read' | 'serializable';
  readOnly?: boolean;
};

const ATTEMPTS = 3;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

export async function runTransaction<T>(
  connect: () => Promise<pg.PoolClient>,
  work: (client: pg.PoolClient) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce(await connect(), work, beginText(options));
    } catch (error) {
      if (attempt === ATTEMPTS || !asksForRetry(error)) throw error;
      // Jitter keeps two transactions that collided from meeting again.
      await delay(Math.random() * 25 * attempt);
    }
  }
}

async function attemptOnce<T>(
  client: pg.PoolClient,
  work: (client: pg.PoolClient) => Promise<T>,
  begin: string,
): Promise<T> {
  try {
    await control(client, begin);
    const result = await work(client);
    const { command } = await control(client, 'COMMIT');
    // The server reports ROLLBACK when a statement failed and its error was swallowed on the way.
    if (command !== 'COMMIT')
      throw new Error('A transaction with a failed statement was committed');
    client.release();
    return result;
  } catch (error) {
    // On a connection that no longer responds, asking for the end of the transaction would be a
    // second wait as long as the first. The server ends it with the connection.
    if (error instanceof DatabaseUnavailable) client.release(true);
    else await rollBack(client, error);
    throw error;
  }
}

async function control(client: pg.PoolClient, text: string): Promise<pg.QueryResult> {
  try {
    const result = await client.query(text);
    requireConfirmed(client);
    return result;
  } catch (error) {
    throw driverError(error);
  }
}

async function rollBack(client: pg.PoolClient, error: unknown): Promise<void> {
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

function asksForRetry(error: unknown): boolean {
  return (
    isServerError(error) &&
    (error.code === SERIALIZATION_FAILURE || error.code === DEADLOCK_DETECTED)
  );
}
