import { ArgumentError, readOption, splitArguments } from '../cli/arguments.ts';
import { runTool } from '../cli/run-tool.ts';
import { withClient } from '../cli/tool-client.ts';
import { databasePlace, readDatabaseUrl, withToolDatabase } from '../cli/tool-database.ts';
import { databaseUrl } from '../config/parsers.ts';
import { migrate } from '../db/migrate.ts';
import { copyDatabase } from './copy-database.ts';

const USAGE = `Copies the whole database into an empty one on a PostgreSQL server (15 or newer). Stop Meridian
first: what changes while this runs may not be in the copy. The database copied from stays as it is.

  npm run copy-database -- --to postgresql://meridian:secret@db.example/meridian

  --to URL             the PostgreSQL server and database to copy to
  --database-url URL   the database to copy from; default DATABASE_URL, else the embedded
                       database in DATA_DIR
  --help               this text
`;

const OPTIONS = {
  to: { type: 'string' },
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
  if (values.to === undefined) throw new ArgumentError('Say where to: --to URL.');
  const to = readOption('to', databaseUrl, values.to, { isSecret: true });
  const place = databasePlace(readDatabaseUrl(values['database-url']));
  await withToolDatabase(place, async (connection) => {
    const target = { connectionString: to };
    await migrate(connection);
    await migrate(target);
    let total = 0;
    await withClient(connection, (source) =>
      withClient(target, (client) =>
        copyDatabase(source, client, (table, rows) => {
          total += rows;
          if (rows > 0) process.stdout.write(`${table}: ${rows}\n`);
        }),
      ),
    );
    process.stdout.write(`Everything is copied: ${total} rows.\n`);
  });
});
