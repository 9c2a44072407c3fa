import { expect, test } from 'vitest';
import { VARIABLES } from '../server/src/config/variables.ts';
import { read } from './tree.ts';

/** Each script of package.json, in its order: the words after its name, and its purpose. */
const COMMANDS: Record<string, [words: string, purpose: string]> = {
  start: ['', 'install, build and serve everything; `-- --version` names the version'],
  test: ['', 'everything that a change has to pass'],
  'test:unit': ['-- FILES', 'unit and API tests; arguments go to the runner'],
  'test:screens': ['-- FILES', 'tests of the console without a server; arguments go to the runner'],
  'test:e2e': ['-- FILES', 'browser tests; arguments go to the runner'],
  'test:hard': ['-- PARTS', 'load, kills, faults and everything else that takes hours'],
  check: ['', 'types, format, lint and dead code only'],
  fmt: ['', 'format the code'],
  lock: ['', 'write `package-lock.json` for every system after a change of dependencies'],
  lab: [
    '',
    'compare the local network with the reference PDS; `-- kills` and `-- oauth` try more there',
  ],
  stats: ['', 'count the lines, files, SQL functions and triggers of the product'],
  dev: ['', 'server and console, reloaded while you edit'],
  build: ['', 'all that a start does first, without starting'],
  admin: [
    '-- list',
    'administrators: create, reset-password, unlock, disable, enable, list; `-- token` for API tokens',
  ],
  'audit:verify': ['', 'prove that no entry of the audit log was altered or dropped'],
  engine: [
    '',
    'publish due posts without serving the console; `-- rotate-keys` changes the key of the accounts',
  ],
  'copy-database': [
    '-- --to-file FILE',
    'copy the database to an empty one on a PostgreSQL server',
  ],
  import: [
    '-- people.ndjson posts.ndjson',
    'add users and posts from files; `--dry-run` only tries',
  ],
  export: ['-- --out DIR', 'write all users and posts to such files'],
  reconcile: ['', 'compare every counter with the rows; `-- --repair` counts again'],
  'check-upstream': [
    '-- --url URL --login-file FILE',
    "play the console's reads against a service of your own and name what does not fit; `UPSTREAM_TOKEN` instead of a login",
  ],
  schema: ['', 'write `server/src/db/schema.sql` from the migrations'],
  seed: ['-- --users 20000 --posts 1000000', 'fill a database for tests of load'],
  screenshots: ['', 'pictures of every screen; `-- --readme` records the first minute'],
  bench: ['', 'measure what it costs on this machine'],
};
const SHORT = new Set(['start', 'test']);

/** The page of every setting and every command. */
function reference(): string {
  const settings = Object.entries(VARIABLES).map(
    ([name, { shown, meaning }]) => `- \`${name}\` (${shown}): ${meaning}`,
  );
  const commands = Object.entries(COMMANDS).map(([name, [words, purpose]]) => {
    const call = ['npm', SHORT.has(name) ? name : `run ${name}`, words].filter(Boolean).join(' ');
    return `- \`${call}\`: ${purpose}`;
  });
  return `# Settings and commands

Made from \`server/src/config/variables.ts\` and \`package.json\` by \`npm run test:unit -- guards/reference.test.ts -u\`.

## Settings

All settings are environment variables; their defaults are in brackets. A malformed one stops the start with a sentence.

${settings.join('\n')}

## Commands

Those with options explain them with \`-- --help\`.

${commands.join('\n')}
`;
}

test('docs/reference.md has every setting and every command as the code has them', async () => {
  await expect(reference()).toMatchFileSnapshot('../docs/reference.md');
});

test('every script of package.json is described, and nothing else', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  expect(Object.keys(COMMANDS)).toEqual(Object.keys(scripts));
});
