import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { ClientConfig } from 'pg';
import { driverError } from '../../db/errors.ts';
import { LOCKS } from '../../db/lock-keys.ts';
import { KEEP_ALIVE, settingStatements } from '../../db/session.ts';

const LOCK_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2_000;

/** The server must neither close the idle session nor keep it when this machine is gone. */
const SESSION_OF_LOCK = {
  idle_session_timeout: 0,
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
};

/**
 * Runs the work while no other process on this database does: a publish that read the plans earlier
 * must not replace the index of a later one. The lock is held by a connection of its own, outside of
 * any transaction, and ends with it. When the connection is lost, the signal is aborted.
 */
export async function withPublishLock<T>(
  connection: ClientConfig,
  work: (lockLost: AbortSignal) => Promise<T>,
  lockTimeoutMs: number = LOCK_TIMEOUT_MS,
): Promise<T> {
  const client = new Client({
    connectionTimeoutMillis: 1_500,
    ...connection,
    application_name: 'meridian publish',
    ...KEEP_ALIVE,
  });
  const lock = new AbortController();
  // Without a listener a connection that breaks during the work would end the process.
  client.on('error', (cause) => lock.abort(new Error('The publish lock was lost', { cause })));
  try {
    await takeLock(client, lockTimeoutMs);
    return await work(lock.signal);
  } finally {
    // Releases the lock too. A server that does not respond must not delay the next publish.
    await Promise.race([client.end(), delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }
}

async function takeLock(client: Client, lock_timeout: number): Promise<void> {
  try {
    await client.connect();
    await client.query(settingStatements({ ...SESSION_OF_LOCK, lock_timeout }));
    await client.query('select pg_advisory_lock($1)', [LOCKS.publish]);
  } catch (error) {
    throw driverError(error);
  }
}
