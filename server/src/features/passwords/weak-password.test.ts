import { describe, expect, test } from 'vitest';
import { commonPasswords } from './common-passwords.ts';
import { generatePassword } from './generate-password.ts';
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
  'aaaaaaaa',
  'AAAAaaaa',
  '        ',
  '00000000',
  'abababab',
  '12341234',
  '123123123',
  'asdasdasd',
  'abcabcab',
  'river7river7river7',
  '12341234!',
  'sunshine1sunshine1',
  'abcdefgh',
  'zyxwvuts',
  'Abcdefgh1!',
  'xyzabcdefg',
  '12345678',
  '87654321',
  '0987654321',
  '5678901234',
  '23456789!',
  'asdfghjkl',
  'lkjhgfdsa',
  'qwertzuiop',
  'azertyui2026',
  'asdf2026!',
])('%s repeats or runs', (password) => {
  expect(isWeakPassword(password, OWNER)).toBe(true);
});

test.each([
  'P4ssw0rd!',
  'p@$$w0rd2026',
  'm3r1d1an',
  'M3R1D14N!',
  '4dm1n15tr4t0r',
  'B1u3sky#1',
  '1L0vey0u',
  'sunsh1ne1',
  '5un5hine',
  'l1ma-4na-2026',
])('%s swaps letters for digits', (password) => {
  expect(isWeakPassword(password, OWNER)).toBe(true);
});

test.each(['nimda123', 'naidireM2026', 'drowssaP!', 'amil.2026!', 'n1mda-n1mda'])(
  '%s is a name backwards',
  (password) => {
    expect(isWeakPassword(password, OWNER)).toBe(true);
  },
);

test.each([
  'Summer2026!',
  'Winter2025',
  'Autumn-26',
  '2026Spring',
  '!!Fall2026',
  'Summ3r2026',
  'January1!',
  'Sept2026!',
  'jan-2026',
  'Monday123',
])('%s is a season, a month or a day', (password) => {
  expect(isWeakPassword(password, OWNER)).toBe(true);
});

test.each([
  'Summer evenings on the pier 2026',
  'summer-8231-0945-2207',
  'midsummer2026',
  'aaaa bbbb cccc dddd',
  'abcdefgh rides 87654321 camels',
  'river7 stones river7 stones again',
  'abcdefghi2jklmnop',
  '80417362',
  'asdf-8231-0945-2207',
  'aa73920184',
  'nimda cafe at the port',
  'winterport',
  generatePassword(),
])('%s is none of these', (password) => {
  expect(isWeakPassword(password, OWNER)).toBe(false);
});

test.each([
  'correct horse battery staple',
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
    ['é'.repeat(64), 8, WEAK],
    ['🔑'.repeat(256), 8, WEAK],
    ['x'.repeat(256), 8, WEAK],
    [`🗝${'🔑'.repeat(255)}`, 8, null],
    ['x'.repeat(257), 8, 'New password must be at most 256 characters'],
    ['🔑'.repeat(257), 8, 'New password must be at most 256 characters'],
  ])('%.20s of at least %i', (password, minLength, problem) => {
    expect(passwordProblem(password, OWNER, minLength)).toBe(problem);
  });
});
