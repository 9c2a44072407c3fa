import { Pool } from 'pg';
import type { ClientConfig } from 'pg';
import { KEEP_ALIVE, withSettings } from '../db/session.ts';

/** Longer than a statement of the queue waits for a lock; a peer that has vanished never responds. */
const QUERY_MS = 30_000;

/** Connections for the queue, which has its own statements; without listeners a broken one would end the process. */
export function openJobPool(
  connection: ClientConfig,
  max: number,
  onError: (error: Error) => void,
): Pool {
  const pool = new Pool({
    application_name: 'meridian-jobs',
    connectionTimeoutMillis: 60_000,
    query_timeout: QUERY_MS,
    ...withSettings(connection, {}),
    ...KEEP_ALIVE,
    // One that was opened while the database could only be read never writes, and the library keeps it.
    maxLifetimeSeconds: 60,
    max,
  });
  pool.on('error', (error) => {
    if (!pool.ending) onError(error);
  });
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
