import { describe, expect, test } from 'vitest';
import { ArgumentError } from '../cli/cli.ts';
import { readArguments } from './seed-cli.ts';

test('what is not said has a default', () => {
  expect(readArguments(['--users', '10'])).toEqual({
    users: 10,
    posts: 0,
    days: 365,
    seed: null,
    databaseUrl: null,
  });
  expect(readArguments(['--help', '--posts', 'many'])).toBe('help');
});

function readWithPassword() {
  return readArguments(['--users', '1', '--database-url', 'mysql://u:secret@h/d']);
}

describe('a wrong command line is refused in one sentence', () => {
  test.each([
    [[], 'Say how much to add: --users N, --posts N, or both.'],
    [['--users', 'many'], '--users must be a whole number from 0 to 1000000, not "many".'],
    [['--posts=-1'], '--posts must be a whole number from 0 to 50000000, not "-1".'],
    [['--users', '5', '--days', '0'], '--days must be a whole number from 1 to 3650, not "0".'],
    [['--wipe'], 'There is no option --wipe.'],
    [['ten'], 'This command takes options only, not "ten".'],
  ] as const)('%j', (args, sentence) => {
    expect(() => readArguments(args)).toThrow(ArgumentError);
    expect(() => readArguments(args)).toThrow(sentence);
  });

  test('that keeps the password to itself', () => {
    expect(readWithPassword).toThrow(/^--database-url must be a PostgreSQL address [^,]*\.$/u);
    expect(readWithPassword).not.toThrow(/secret/u);
  });
});
