import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  ArgumentError,
  databasePlace,
  readDatabaseUrl,
  runTool,
  splitArguments,
  withReadOnlyClient,
  withToolDatabase,
} from '../cli/cli.ts';
import { exportFiles } from './export-files.ts';

const USAGE = `Writes every person and every post as lines of JSON: people.ndjson and posts.ndjson, both of one
moment, in the format that npm run import reads (docs/import.md). Only reads the database.

  npm run export -- --out DIR

  --out DIR            the folder to write to; made if it is missing, refused if it has such files
  --database-url URL   a PostgreSQL server, without a password; default DATABASE_URL or
                       DATABASE_URL_FILE, else the embedded database in DATA_DIR
  --help               this text

Ends with code 3 when posts were being published at that moment: they are in the file as PROCESSING, and
an import refuses them.
`;

const OPTIONS = {
  out: { type: 'string' },
  'database-url': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

const UNDER_WAY = 3;

await runTool({ name: 'export', untouched: 'Nothing was changed.' }, async () => {
  const { values } = splitArguments({ args: process.argv.slice(2), options: OPTIONS });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const place = databasePlace(readDatabaseUrl(values['database-url']));
  const { out } = values;
  if (out === undefined) throw new ArgumentError('Name the folder to write to: --out DIR.');
  for (const name of ['people.ndjson', 'posts.ndjson']) {
    if (existsSync(join(out, name))) throw new ArgumentError(`${join(out, name)} exists already.`);
  }
  await withToolDatabase(place, (connection) =>
    withReadOnlyClient(connection, async (client) => {
      const { people, posts, underWay } = await exportFiles(client, out);
      const [some, more] = [people, posts].map((count) => count.toLocaleString('en'));
      process.stdout.write(`Wrote ${some} people and ${more} posts to ${resolve(out)}.\n`);
      if (underWay === 0) return;
      process.stderr.write(
        `${underWay.toLocaleString('en')} posts were being published. An import refuses them; to have them too, suspend the service, wait until none is PROCESSING, and export again.\n`,
      );
      process.exitCode = UNDER_WAY;
    }),
  );
});
