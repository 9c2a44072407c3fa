import { Client } from 'pg';
import type { ClientConfig } from 'pg';
import { connectError } from '../db/connect-error.ts';
import { columnTypes } from '../db/types.ts';

/** One connection without the server's time limits, for a command that may take long. */
export async function withClient<T>(
  connection: ClientConfig,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionTimeoutMillis: 15_000, types: columnTypes, ...connection });
  // A connection that breaks between two statements reports here; the next statement then fails.
  client.on('error', () => {});
  await client.connect().catch((error: unknown) => {
    throw connectError(client, error);
  });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
