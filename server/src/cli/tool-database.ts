import type { ClientConfig } from 'pg';
import { chosenDatabaseUrl } from '../config/database-url.ts';
import { readVariables } from '../config/variable.ts';
import { VARIABLES } from '../config/variables.ts';
import { hasDatabase, startEmbeddedDatabase } from '@meridian/embedded-postgres';
import { StartError } from '../start-error.ts';

export type DatabasePlace = { databaseUrl: string | null; dataDir: string };

const { DATA_DIR, DATABASE_URL, DATABASE_URL_FILE } = VARIABLES;

/** The address that was chosen, else what the environment says. */
export function databasePlace(chosen: string | null): DatabasePlace {
  const variables = readVariables({ DATA_DIR, DATABASE_URL, DATABASE_URL_FILE }, process.env);
  return { databaseUrl: chosen ?? chosenDatabaseUrl(variables), dataDir: variables.DATA_DIR };
}

/** The database a command works on: a server, or the embedded one, which a running Meridian shares. */
export async function withToolDatabase(
  { databaseUrl, dataDir }: DatabasePlace,
  work: (connection: ClientConfig) => Promise<void>,
  { mayCreate = false } = {},
): Promise<void> {
  if (databaseUrl !== null) return work({ connectionString: databaseUrl });
  // In the wrong folder, a new empty database would make every check succeed.
  if (!mayCreate && !(await hasDatabase(dataDir))) {
    throw new StartError(
      `There is no database in ${dataDir}. Set DATA_DIR to the folder that the server uses, or DATABASE_URL to its PostgreSQL server.`,
    );
  }
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
