import { randomBytes } from 'node:crypto';
import type { ClientConfig } from 'pg';
import {
  createProgress,
  databasePlace,
  prepareSchema,
  runTool,
  withClient,
  withToolDatabase,
} from '../cli/cli.ts';
import { readArguments, USAGE } from './arguments.ts';
import type { SeedArguments } from './arguments.ts';
import { load } from './load.ts';

await runTool({ name: 'seed', untouched: 'Nothing was added.' }, async () => {
  const found = readArguments(process.argv.slice(2));
  if (found === 'help') process.stdout.write(USAGE);
  else await seed(found);
});

async function seed(found: SeedArguments): Promise<void> {
  await withToolDatabase(
    databasePlace(found.databaseUrl),
    (connection) => fill(connection, found),
    {
      mayCreate: true,
    },
  );
}

async function fill(connection: ClientConfig, found: SeedArguments): Promise<void> {
  await prepareSchema(connection);
  await withClient(connection, (client) =>
    load(
      client,
      { ...found, seed: found.seed ?? randomBytes(8).toString('hex'), now: Date.now() },
      createProgress(process.stdout),
    ),
  );
  const [users, posts] = [found.users, found.posts].map((count) => count.toLocaleString('en'));
  process.stdout.write(`Added ${users} users and ${posts} posts.\n`);
}
