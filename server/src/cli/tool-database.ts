import type { ClientConfig } from 'pg';
import { startEmbeddedDatabase } from '../db/embedded/index.ts';

export type DatabasePlace = { databaseUrl: string | null; dataDir: string };

/** The database a command works on: a server, or the embedded one, which a running Meridian shares. */
export async function withToolDatabase(
  { databaseUrl, dataDir }: DatabasePlace,
  work: (connection: ClientConfig) => Promise<void>,
): Promise<void> {
  if (databaseUrl !== null) return work({ connectionString: databaseUrl });
  const embedded = await startEmbeddedDatabase({
    dataDir,
    purpose: 'tool',
    onNotice: (message) => process.stderr.write(`${message}\n`),
  });
  try {
    await work(embedded.connection);
  } finally {
    await embedded.stop();
  }
}
