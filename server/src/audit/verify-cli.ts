import {
  ArgumentError,
  databasePlace,
  readDatabaseUrl,
  runTool,
  splitArguments,
  withSnapshot,
  withToolDatabase,
} from '../cli/cli.ts';
import type { Db } from '../db/database.ts';
import { emptinessFlaws, protectionFlaws, verifyChain } from './verify.ts';
import type { Link } from './verify.ts';

const USAGE = `Checks that no entry of the audit log was altered, dropped or reordered, and that the triggers that
protect it are in place. Lists everything that is wrong, and ends with code 1 when anything is. Only
reads.

  npm run audit:verify

  --seen ID:HASH       an entry as an earlier run printed it, stored where the owner of the database
                       cannot write; may be given several times
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
  await withToolDatabase(place, (connection) => withSnapshot(connection, (db) => report(db, seen)));
});

async function report(db: Db, seen: readonly Link[]): Promise<void> {
  const { entries, last, flaws, unlisted } = await verifyChain(db, seen);
  const others = [...(await emptinessFlaws(db, entries)), ...(await protectionFlaws(db))];
  const total = others.length + flaws.length + unlisted;
  if (total === 0) {
    say(`${counted(entries, 'entry', 'entries')}, chain is whole`);
    if (entries > 0) say(`The last one is ${last.id}:${last.hash}`);
    return;
  }
  for (const flaw of [...others, ...flaws]) say(flaw);
  if (unlisted > 0) say(`and ${unlisted} more`);
  say(`${counted(entries, 'entry', 'entries')}, ${counted(total, 'flaw', 'flaws')} found`);
  process.exitCode = 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function counted(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}

function linkOf(text: string): Link {
  const [, id = '', hash = ''] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (hash === '') throw new ArgumentError(`--seen must be ID:HASH, not "${text}".`);
  return { id: BigInt(id), hash };
}
