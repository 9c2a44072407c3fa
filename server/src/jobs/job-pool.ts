import { Pool } from 'pg';
import type { ClientConfig } from 'pg';

/** Connections for the queue, which has its own statements; without listeners a broken one would end the process. */
export function openJobPool(
  connection: ClientConfig,
  max: number,
  onError: (error: Error) => void,
): Pool {
  const pool = new Pool({
    application_name: 'meridian-jobs',
    connectionTimeoutMillis: 60_000,
    ...connection,
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
