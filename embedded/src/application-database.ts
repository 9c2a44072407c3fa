import { Client, DatabaseError, escapeIdentifier } from 'pg';

const NO_SUCH_DATABASE = '3D000';
const ALREADY_THERE = ['42P04', '23505'];

export type SocketConnection = { host: string; port: number; user: string; database: string };

/** Creates the database on the first start; afterwards this is one connection that finds it. */
export async function ensureDatabase(connection: SocketConnection): Promise<void> {
  try {
    await withClient(connection, async () => {});
  } catch (error) {
    if (!hasCode(error, [NO_SUCH_DATABASE])) throw error;
    await withClient({ ...connection, database: 'postgres' }, async (client) => {
      try {
        await client.query(`create database ${escapeIdentifier(connection.database)}`);
      } catch (creation) {
        if (!hasCode(creation, ALREADY_THERE)) throw creation; // another start made it just now
      }
    });
  }
}

async function withClient(
  connection: SocketConnection,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  // Without `ssl` a PGSSLMODE in the environment would ask for TLS on a socket that has none.
  const client = new Client({ ...connection, ssl: false, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end();
  }
}

function hasCode(error: unknown, codes: string[]): boolean {
  return error instanceof DatabaseError && codes.includes(error.code ?? '');
}
