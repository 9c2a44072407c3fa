import { describe, expect, test } from 'vitest';
import { ArgumentError, HelpAsked } from '../cli/cli.ts';
import { readArguments } from './admin-cli.ts';

test('one administrator by name, in either way', () => {
  const expected = {
    command: 'create',
    username: 'ana',
    displayName: null,
    isGenerated: false,
    databaseUrl: null,
  };
  expect(readArguments(['create', 'ana'])).toEqual(expected);
  expect(readArguments(['create', '--username', ' Ana '])).toEqual(expected);
  expect(readArguments(['create', 'ana', '--display-name', ' Ana Lima ', '--generate'])).toEqual({
    ...expected,
    displayName: 'Ana Lima',
    isGenerated: true,
  });
});

test('list and help', () => {
  expect(readArguments(['list'])).toEqual({ command: 'list', databaseUrl: null });
  const url = 'postgres://u@h/d';
  expect(readArguments(['list', '--database-url', url])).toMatchObject({ databaseUrl: url });
  expect(() => readArguments(['--help'])).toThrow(HelpAsked);
});

describe('a wrong command line is refused in one sentence', () => {
  test.each([
    [[], 'Say what to do: create, reset-password, unlock, disable, enable or list.'],
    [['delete', 'ana'], /^Say what to do: /],
    [['create'], 'Name one administrator: create NAME.'],
    [['unlock', 'ana', 'bo'], 'Name one administrator: unlock NAME.'],
    [['unlock', 'ana', '--username', 'bo'], 'Name one administrator: unlock NAME.'],
    [['list', 'ana'], 'list takes no name.'],
    [['unlock', 'ana', '--generate'], 'unlock sets no password.'],
    [['disable', 'ana', '--display-name', 'A'], '--display-name belongs to create.'],
    [['create', 'a\u200bb'], /^--username must be a user name of 1 to 64 visible characters/],
    [['create', 'ana', '--display-name', 'a\u001b[2J'], /^--display-name must be 1 to 100 visible/],
    [['create', 'ana', '--password', 'x'], 'There is no option --password.'],
  ] as const)('%j', (args, sentence) => {
    expect(() => readArguments(args)).toThrow(ArgumentError);
    expect(() => readArguments(args)).toThrow(sentence);
  });

  test('which does not repeat the password of an address', () => {
    const args = ['list', '--database-url', 'mysql://u:secret@h/d'];
    expect(() => readArguments(args)).toThrow(/^--database-url must be a PostgreSQL address/);
    expect(() => readArguments(args)).not.toThrow(/secret/);
  });
});
