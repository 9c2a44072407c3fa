import { describe, expect, test } from 'vitest';
import { ArgumentError, splitArguments } from './arguments.ts';
import { readDatabaseUrl } from './database-option.ts';
import { runProgram } from '../../test/run-program.ts';

const program = (file: string) => new URL(`../${file}`, import.meta.url);

/** Each command with an option that takes a value and one that takes none. */
const COMMANDS = [
  ['admin', program('admin-cli/admin-cli.ts'), '--display-name', '--generate', ['create', 'ana']],
  ['audit:verify', program('audit/verify-cli.ts'), '--database-url', '--help', []],
  ['copy-database', program('copy/copy-cli.ts'), '--to', '--help', []],
  ['reconcile', program('counters/reconcile-cli.ts'), '--database-url', '--repair', []],
  ['seed', program('seed/seed-cli.ts'), '--users', '--help', []],
] as const;

describe.each(COMMANDS)('%s', (name, file, valued, flag, words) => {
  const refusal = async (...args: string[]) => {
    const { code, stdout, stderr } = await runProgram(file, [...words, ...args]);
    expect([code, stdout]).toEqual([2, '']);
    const [sentence, hint, ...rest] = stderr.split('\n');
    expect([hint, ...rest]).toEqual([`See npm run ${name} -- --help`, '']);
    return sentence;
  };

  test('explains a wrong command line', async () => {
    expect({
      unknown: await refusal('--wipe'),
      withoutValue: await refusal(valued),
      valueForFlag: await refusal(`${flag}=yes`),
      password: await refusal('--database-url', 'postgresql://u:hunter2@h/d'),
    }).toEqual({
      unknown: 'There is no option --wipe.',
      withoutValue: `${valued} needs a value.`,
      valueForFlag: `${flag} takes no value.`,
      password: TEACHING,
    });
  });
});

test.each(COMMANDS.filter(([name]) => name !== 'admin'))(
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
