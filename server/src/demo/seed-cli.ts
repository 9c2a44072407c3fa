import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { ClientConfig } from 'pg';
import { readVariables } from '../config/variable.ts';
import { VARIABLES } from '../config/variables.ts';
import { connectError } from '../db/connect-error.ts';
import { EmbeddedDatabaseError, startEmbeddedDatabase } from '../db/embedded/index.ts';
import { isServerError } from '../db/errors.ts';
import { migrate } from '../db/migrate.ts';
import { StartError } from '../start-error.ts';
import { ArgumentError, readArguments, USAGE } from './seed/arguments.ts';
import type { SeedArguments } from './seed/arguments.ts';
import { load } from './seed/load.ts';
import { createProgress } from './seed/progress.ts';

const { DATA_DIR, DATABASE_URL } = VARIABLES;

/** Exit code 1 when it could not be done, 2 when the command line is wrong. */
try {
  const found = readArguments(process.argv.slice(2));
  if (found === 'help') process.stdout.write(USAGE);
  else await seed(found);
} catch (error) {
  process.exitCode = explain(error);
}

function explain(error: unknown): number {
  if (error instanceof ArgumentError) {
    process.stderr.write(`${error.message}\nSee npm run seed -- --help\n`);
    return 2;
  }
  if (isServerError(error)) {
    process.stderr.write(`The database refused: ${error.message}. Nothing was added.\n`);
    return 1;
  }
  const isForReader = error instanceof StartError || error instanceof EmbeddedDatabaseError;
  if (!isForReader) throw error;
  process.stderr.write(`${error.message}\n`);
  return 1;
}

async function seed(found: SeedArguments): Promise<void> {
  const variables = readVariables({ DATA_DIR, DATABASE_URL }, process.env);
  const url = found.databaseUrl ?? variables.DATABASE_URL;
  if (url !== null) return fill({ connectionString: url }, found);
  const embedded = await startEmbeddedDatabase({
    dataDir: variables.DATA_DIR,
    purpose: 'tool',
    onNotice: (message) => process.stderr.write(`${message}\n`),
  });
  try {
    await fill(embedded.connection, found);
  } finally {
    await embedded.stop();
  }
}

async function fill(connection: ClientConfig, found: SeedArguments): Promise<void> {
  await migrate(connection);
  const client = new Client({ connectionTimeoutMillis: 15_000, ...connection });
  // A connection that breaks between two statements reports here; the next statement then fails.
  client.on('error', () => {});
  await client.connect().catch((error: unknown) => {
    throw connectError(client, error);
  });
  try {
    await load(
      client,
      { ...found, seed: found.seed ?? randomBytes(8).toString('hex'), now: Date.now() },
      createProgress(process.stdout),
    );
    const [users, posts] = [found.users, found.posts].map((count) => count.toLocaleString('en'));
    process.stdout.write(`Added ${users} users and ${posts} posts.\n`);
  } finally {
    await client.end();
  }
}
