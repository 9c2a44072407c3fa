import type { ClientConfig } from 'pg';
import { openJobPool } from './job-pool.ts';

/** Called under the migration lock. Later versions of the library migrate when the runner starts. */
export async function createJobSchema(connection: ClientConfig): Promise<void> {
  const { Logger, runMigrations } = await import('graphile-worker');
  const pgPool = openJobPool(connection, 1, () => {});
  try {
    await runMigrations({ pgPool, logger: new Logger(() => () => {}) });
  } finally {
    await pgPool.end();
  }
}
