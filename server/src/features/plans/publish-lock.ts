import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { ClientConfig } from 'pg';
import { driverError } from '../../db/errors.ts';
import { LOCKS } from '../../db/lock-keys.ts';

const WAIT_MS = 10_000;
const GOODBYE_MS = 2_000;

/** Why work under the lock was told to stop: from then on another process may hold it. */
class PublishLockLost extends Error {
  constructor(cause: unknown) {
    super('The connection that held the lock for publishing was lost', { cause });
    this.name = 'PublishLockLost';
  }
}

/**
 * Runs the work while no other process on this database does. The lock belongs to a connection of
 * its own, outside of any transaction, so uploads keep nothing open; a process that dies loses the
 * connection and with it the lock. When only the connection dies, `held` tells the work to stop.
 */
export async function withPublishLock<T>(
  connection: ClientConfig,
  work: (held: AbortSignal) => Promise<T>,
  waitMs: number = WAIT_MS,
): Promise<T> {
  const client = new Client({
    ...connection,
    application_name: 'meridian publish',
    connectionTimeoutMillis: 1_500,
    lock_timeout: waitMs,
    keepAlive: true,
  });
  const holding = new AbortController();
  // Without a listener a connection that breaks during the work would end the process.
  client.on('error', (error) => holding.abort(new PublishLockLost(error)));
  try {
    await takeLock(client);
    return await work(holding.signal);
  } finally {
    // Ends the lock too. A server that no longer answers must not hold the next publish back.
    await Promise.race([client.end(), delay(GOODBYE_MS, undefined, { ref: false })]);
  }
}

async function takeLock(client: Client): Promise<void> {
  try {
    await client.connect();
    // The server must neither end the silent session nor keep it when this machine is gone.
    await client.query(
      `set idle_session_timeout = 0; set tcp_keepalives_idle = 10;
       set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3`,
    );
    await client.query('select pg_advisory_lock($1)', [LOCKS.publish]);
  } catch (error) {
    throw driverError(error);
  }
}
