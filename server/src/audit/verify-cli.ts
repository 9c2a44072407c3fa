import { ArgumentError, splitArguments } from '../cli/arguments.ts';
import { readDatabaseUrl } from '../cli/database-option.ts';
import { runTool } from '../cli/run-tool.ts';
import { withSnapshot } from '../cli/tool-client.ts';
import { databasePlace, withToolDatabase } from '../cli/tool-database.ts';
import type { Link } from './chain.ts';
import { verifyChain } from './verify.ts';

const USAGE = `Checks that no entry of the record of changes was altered, dropped or reordered.
Ends with code 1 and the first broken entry when one was.

  npm run audit:verify

  --seen ID:HASH       an entry as an earlier run named it, noted where the database's owner cannot
                       write; may be given several times
  --database-url URL   a PostgreSQL server, without a password; default DATABASE_URL or
                       DATABASE_URL_FILE, else the embedded database in DATA_DIR
  --help               this text
`;

const OPTIONS = {
  seen: { type: 'string', multiple: true },
  'database-url': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

await runTool({ name: 'audit:verify', untouched: 'Nothing was changed.' }, async () => {
  const { values } = splitArguments({ args: process.argv.slice(2), options: OPTIONS });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const seen = (values.seen ?? []).map(linkOf);
  const place = databasePlace(readDatabaseUrl(values['database-url']));
  await withToolDatabase(place, (connection) =>
    withSnapshot(connection, async (db) => {
      const { last, flaw } = await verifyChain(db, seen);
      if (flaw === null) {
        process.stdout.write(`${last.id} entries, chain is whole\n`);
        if (last.id > 0n) process.stdout.write(`The last one is ${last.id}:${last.hash}\n`);
        return;
      }
      process.stdout.write(`${flaw}; up to entry ${last.id} the chain is whole\n`);
      process.exitCode = 1;
    }),
  );
});

function linkOf(text: string): Link {
  const [, id = '', hash = ''] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (hash === '') throw new ArgumentError(`--seen must be ID:HASH, not "${text}".`);
  return { id: BigInt(id), hash };
}
