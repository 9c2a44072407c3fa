import {
  databasePlace,
  prepareSchema,
  readDatabaseUrl,
  readTarget,
  runTool,
  splitArguments,
  withClient,
  withReadOnlyClient,
  withToolDatabase,
} from '../cli/cli.ts';
import { copyDatabase } from './copy-database.ts';

const USAGE = `Copies the whole database into an empty one on a PostgreSQL server (15 or newer). Stop Meridian
first: what changes while this runs may not be in the copy. The database copied from stays as it is.

  npm run copy-database -- --to postgresql://meridian@db.example.com/meridian

  --to URL             the PostgreSQL server and database to copy to, without a password: that comes
                       from PGPASSWORD or a password file (~/.pgpass, PGPASSFILE)
  --to-file FILE       a file that holds this address, with its password if you like; no other user
                       may read it
  --database-url URL   the database to copy from, without a password; default DATABASE_URL or
                       DATABASE_URL_FILE, else the embedded database in DATA_DIR
  --help               this text
`;

const OPTIONS = {
  to: { type: 'string' },
  'to-file': { type: 'string' },
  'database-url': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

const TOOL = { name: 'copy-database', untouched: 'Nothing was copied.' };

await runTool(TOOL, async () => {
  const { values } = splitArguments({ args: process.argv.slice(2), options: OPTIONS });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const from = readDatabaseUrl(values['database-url']);
  const target = { connectionString: readTarget(values) };
  const place = databasePlace(from);
  await withToolDatabase(place, async (connection) => {
    let total = 0;
    await withReadOnlyClient(connection, async (source) => {
      await prepareSchema(target, 'Give a new, empty database to copy to.');
      await withClient(target, (client) =>
        copyDatabase(source, client, (table, rows) => {
          total += rows;
          if (rows > 0) process.stdout.write(`${table}: ${rows}\n`);
        }),
      );
    });
    process.stdout.write(`Everything is copied: ${total} rows.\n`);
  });
});
