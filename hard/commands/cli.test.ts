import { describe, expect, test } from 'vitest';
import { ArgumentError, readDatabaseUrl, splitArguments } from '../../server/src/cli/cli.ts';
import { runProgram } from '../../server/test/run-program.ts';

const program = (file: string) => new URL(`../../server/src/${file}`, import.meta.url);

/** Each command with the words that it needs. They share one reader, which has tests below. */
const COMMANDS = [
  ['admin', program('admin-cli/admin-cli.ts'), ['create', 'ana']],
  ['audit:verify', program('audit/verify-cli.ts'), []],
  ['copy-database', program('copy/copy-cli.ts'), []],
  ['export', program('export/export-cli.ts'), []],
  ['import', program('import/import-cli.ts'), ['people.ndjson']],
  ['reconcile', program('counters/reconcile-cli.ts'), []],
  ['seed', program('seed/seed-cli.ts'), []],
] as const;

describe.each(COMMANDS)('%s', (name, file, words) => {
  const refusal = async (...args: string[]) => {
    const { code, stdout, stderr } = await runProgram(file, [...words, ...args]);
    expect([code, stdout]).toEqual([2, '']);
    const [sentence, hint, ...rest] = stderr.split('\n');
    expect([hint, ...rest]).toEqual([`See npm run ${name} -- --help`, '']);
    return sentence;
  };

  test('explains a wrong command line', async () => {
    const [unknown, password] = await Promise.all([
      refusal('--wipe'),
      refusal('--database-url', 'postgresql://u:hunter2@h/d'),
    ]);
    expect({ unknown, password }).toEqual({
      unknown: 'There is no option --wipe.',
      password: TEACHING,
    });
  });
});

test.each(COMMANDS.filter(([, , words]) => words.length === 0))(
  '%s takes no words beside its options, and repeats no password',
  async (_, file) => {
    const { code, stderr } = await runProgram(file, ['postgresql://u:hunter2@h/d']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^This command takes options only, not "postgresql:\/\/\*\*\*@h\/d"\.\n/,
    );
  },
);

const OPTIONS = {
  users: { type: 'string' },
  seen: { type: 'string', multiple: true },
  help: { type: 'boolean' },
} as const;

test.each([
  [['--pasword=hunter2'], 'There is no option --pasword.'],
  [['-x'], 'There is no option -x.'],
  [['--users='], '--users needs a value.'],
  [['--users'], '--users needs a value.'],
  [['--help=yes'], '--help takes no value.'],
  [
    ['--users', '--help'],
    '--users needs a value; one that begins with a dash is written --users=VALUE.',
  ],
  [['--users', '1', '--users', '2'], '--users is given more than once.'],
  [['--', 'ten'], 'This command takes options only, not "ten".'],
])('%j is refused in one sentence', (args, sentence) => {
  expect(() => splitArguments({ args, options: OPTIONS })).toThrow(new ArgumentError(sentence));
});

test('a value may begin with a dash, and some options may be repeated', () => {
  const args = ['--users=-1', '--seen', 'a', '--seen', 'b'];
  expect(splitArguments({ args, options: OPTIONS }).values).toEqual({
    users: '-1',
    seen: ['a', 'b'],
  });
});

test('a password in the query of an address is refused too', () => {
  const address = 'postgresql://h/d?password=hunter2';
  expect(() => readDatabaseUrl(address)).toThrow(new ArgumentError(TEACHING));
});

const TEACHING =
  '--database-url must not hold a password, because every user of this machine can see it: set DATABASE_URL or DATABASE_URL_FILE instead, or leave the password to PGPASSWORD or a password file (~/.pgpass, PGPASSFILE).';
