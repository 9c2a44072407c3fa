import { describe, expect, test } from 'vitest';
import { commonPasswords } from './common-passwords.ts';
import { passwordProblem } from './password-policy.ts';
import { isWeakPassword } from './weak-password.ts';

const OWNER = { username: 'ana.lima7', displayName: 'Ana Sofía Lima' };
const WEAK =
  'This password is too easy to guess. Avoid common passwords, your own name and the name of this service';

describe('the list of common passwords', () => {
  const words = [...commonPasswords()];

  test('has thousands of entries, each of a length that could be chosen', () => {
    expect(words.length).toBeGreaterThan(3000);
    expect(words.filter((word) => word.length < 8 || /\s/.test(word))).toEqual([]);
    expect(words.filter((word) => word !== word.toLowerCase().normalize('NFKC'))).toEqual([]);
  });

  test('holds what everybody tries first', () => {
    const first = ['password', '12345678', 'qwertyuiop', 'iloveyou', 'p@ssw0rd', 'password123'];
    expect(first.filter((word) => !commonPasswords().has(word))).toEqual([]);
  });

  test('is refused word by word, in capitals too', () => {
    expect(words.filter((word) => !isWeakPassword(word, OWNER))).toEqual([]);
    expect(words.filter((word) => !isWeakPassword(word.toUpperCase(), OWNER))).toEqual([]);
  });
});

test.each([
  'Meridian',
  'meridian2026',
  'ADMIN2026!',
  '!!Administrator',
  'admin-meridian-1',
  'MeridianAdmin1!',
  'bsky.bluesky',
  'BlueSky#1',
  'adminadminadmin',
  'ａｄｍｉｎ２０２６',
  'Password1!?',
  'changeme 2026',
  'ana.lima7',
  'ANA.LIMA7',
  'AnaLima1234',
  'sofía-lima-ana',
  'Ana Sofía Lima',
  'lima-admin-2026',
  '#ana.lima7#',
])('%s is made of names', (password) => {
  expect(isWeakPassword(password, OWNER)).toBe(true);
});

test.each([
  'correct horse battery',
  'administration',
  'admin of the harbour',
  'meridians cross here',
  'lima beans for dinner',
  '7291-4480-1653-9027',
  '🔑🗝️🔒🔓🛡️⚔️🏰🚪',
  'пароль-который-длинный',
])('%s is not', (password) => {
  expect(isWeakPassword(password, OWNER)).toBe(false);
});

test('a short name does not turn down what merely has its letters', () => {
  const owner = { username: 'bo', displayName: null };
  expect(isWeakPassword('bobobobobo-bo', owner)).toBe(false);
  expect(isWeakPassword('#x9-y8-z7#', { username: 'X9-Y8-Z7', displayName: null })).toBe(true);
});

test('takes no longer for a password made to take long', () => {
  const owner = { username: 'aaa', displayName: 'aaaa aaaaa aaaaaa' };
  expect(isWeakPassword(`${'a'.repeat(255)}b`, owner)).toBe(false);
  expect(isWeakPassword('a'.repeat(256), owner)).toBe(true);
});

describe('the rules', () => {
  test.each([
    ['seven77', 8, 'New password must be at least 8 characters'],
    ['password', 8, WEAK],
    ['eight-ok', 8, null],
    ['fourteen chars', 15, 'New password must be at least 15 characters'],
    ['fifteen chars !', 15, null],
    // Too short comes before too common.
    ['password', 15, 'New password must be at least 15 characters'],
    ['🔑🗝🔒🔓🛡⚔🏰', 8, 'New password must be at least 8 characters'],
    ['🔑🗝🔒🔓🛡⚔🏰🚪', 8, null],
    [' blanks at both ends ', 8, null],
    ['é'.repeat(64), 8, null],
    ['🔑'.repeat(256), 8, null],
    ['x'.repeat(257), 8, 'New password must be at most 256 characters'],
    ['🔑'.repeat(257), 8, 'New password must be at most 256 characters'],
  ])('%.20s of at least %i', (password, minLength, problem) => {
    expect(passwordProblem(password, OWNER, minLength)).toBe(problem);
  });
});
