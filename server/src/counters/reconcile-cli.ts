import type { ClientConfig } from 'pg';
import {
  databasePlace,
  readDatabaseUrl,
  runTool,
  splitArguments,
  withClient,
  withSnapshot,
  withToolDatabase,
} from '../cli/cli.ts';
import { databaseOn } from '../db/database.ts';
import type { Db } from '../db/database.ts';
import { requireCurrentSchema } from '../db/schema.ts';
import { findDifferences, recount } from './counters.ts';

const USAGE = `Compares every counter of users and posts with the rows.
Ends with code 1 when one differs and was not repaired.

  npm run reconcile

  --repair             count all rows again when a counter differs; writers wait meanwhile
  --database-url URL   a PostgreSQL server, without a password; default DATABASE_URL or
                       DATABASE_URL_FILE, else the embedded database in DATA_DIR
  --help               this text
`;

const OPTIONS = {
  repair: { type: 'boolean', default: false },
  'database-url': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

const SHOWN = 10;

await runTool({ name: 'reconcile', untouched: 'Nothing was changed.' }, async () => {
  const { values } = splitArguments({ args: process.argv.slice(2), options: OPTIONS });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const place = databasePlace(readDatabaseUrl(values['database-url']));
  await withToolDatabase(place, (connection) =>
    values.repair ? repair(connection) : withSnapshot(connection, compare),
  );
});

async function repair(connection: ClientConfig): Promise<void> {
  await withClient(connection, async (client) => {
    await requireCurrentSchema(client);
    const db = databaseOn(client);
    if ((await sayDifferences(db)) === 0) return;
    await recount(db);
    process.stdout.write('All rows were counted again.\n');
  });
}

async function compare(db: Db): Promise<void> {
  if ((await sayDifferences(db)) === 0) return;
  process.stdout.write('Counters differ. npm run reconcile -- --repair counts all rows again.\n');
  process.exitCode = 1;
}

async function sayDifferences(db: Db): Promise<number> {
  const differences = await findDifferences(db, SHOWN + 1);
  if (differences.length === 0) process.stdout.write('Every counter is right.\n');
  for (const { what, status, user, counted, present } of differences.slice(0, SHOWN)) {
    const name = [what, status, user].filter((part) => part !== null).join(', ');
    process.stdout.write(`${name}: ${counted} counted, ${present} present\n`);
  }
  if (differences.length > SHOWN) process.stdout.write('and more\n');
  return differences.length;
}
