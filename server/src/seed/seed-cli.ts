import { randomBytes } from 'node:crypto';
import type { ClientConfig } from 'pg';
import {
  ArgumentError,
  DATABASE_OPTIONS,
  DATABASE_USAGE,
  createProgress,
  databasePlace,
  prepareSchema,
  readDatabaseUrl,
  readOption,
  runTool,
  say,
  splitArguments,
  withClient,
  withToolDatabase,
} from '../cli/cli.ts';
import { whole } from '../config/parsers.ts';
import { load } from './load.ts';

const USAGE = `Adds invented users and posts to a database. Nothing that is there is changed or removed.
An empty database gets its tables first. A large run locks both tables until it is done; a server on the same database waits meanwhile.

  npm run seed -- --users 10000 --posts 1000000

  --users N            how many users to add (0 to 1000000)
  --posts N            how many posts to add (0 to 50000000), spread over the added users,
                       or over those already there when no users are added
  --days N             over how many past days the posts are spread (1 to 3650; default 365)
  --seed TEXT          the same text gives the same people and posts; by default each run differs
${DATABASE_USAGE}`;

const OPTIONS = {
  users: { type: 'string', default: '0' },
  posts: { type: 'string', default: '0' },
  days: { type: 'string', default: '365' },
  seed: { type: 'string' },
  ...DATABASE_OPTIONS,
} as const;

export function readArguments(args: readonly string[]) {
  const { values } = splitArguments({ args: [...args], options: OPTIONS }, USAGE);
  const found = {
    users: readOption('users', whole(0, 1_000_000), values.users),
    posts: readOption('posts', whole(0, 50_000_000), values.posts),
    days: readOption('days', whole(1, 3650), values.days),
    seed: values.seed ?? null,
    databaseUrl: readDatabaseUrl(values['database-url']),
  };
  if (found.users === 0 && found.posts === 0) {
    throw new ArgumentError('Say how much to add: --users N, --posts N, or both.');
  }
  return found;
}

async function seed(connection: ClientConfig, found: ReturnType<typeof readArguments>) {
  await prepareSchema(connection);
  await withClient(connection, (client) =>
    load(
      client,
      { ...found, seed: found.seed ?? randomBytes(8).toString('hex'), now: Date.now() },
      createProgress(process.stdout),
    ),
  );
  const [users, posts] = [found.users, found.posts].map((count) => count.toLocaleString('en'));
  say(`Added ${users} users and ${posts} posts.`);
}

if (import.meta.main) {
  await runTool({ name: 'seed', untouched: 'Nothing was added.' }, async () => {
    const found = readArguments(process.argv.slice(2));
    const place = databasePlace(found.databaseUrl);
    await withToolDatabase(place, (connection) => seed(connection, found), { mayCreate: true });
  });
}
