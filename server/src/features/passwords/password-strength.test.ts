import { dictionary } from '@zxcvbn-ts/language-common';
import { expect, test } from 'vitest';
import { generatePassword, isWeakPassword, passwordProblem } from './passwords.ts';

const OWNER = { username: 'ana.lima7', displayName: 'Ana Sofía Lima' };
const WEAK =
  'This password is too easy to guess. Avoid common passwords, your own name and the name of this service';

test('thousands of common passwords of a valid length are refused, in capitals too', async () => {
  const valid = dictionary['passwords-common'].filter((word) => word.length >= 8);
  // One in seven: each takes a millisecond or two.
  const common = valid.filter((_, index) => index % 7 === 0);
  expect(common.length).toBeGreaterThan(2000);
  const accepted = [];
  for (const word of common) {
    if (!(await isWeakPassword(word.toUpperCase(), OWNER))) accepted.push(word);
  }
  expect(accepted).toEqual([]);
}, 60_000);

const REFUSED = {
  'a common password': 'password|12345678|qwertyuiop|iloveyou|p@ssw0rd|password123',
  'names of the service':
    'Meridian|meridian2026|ADMIN2026!|!!Administrator|admin-meridian-1|MeridianAdmin1!|bsky.bluesky' +
    '|BlueSky#1|adminadminadmin|ａｄｍｉｎ２０２６|Password1!?|changeme 2026',
  'names of the owner':
    'ana.lima7|ANA.LIMA7|AnaLima1234|sofía-lima-ana|Ana Sofía Lima|lima-admin-2026|#ana.lima7#',
  'a repetition':
    'aaaaaaaa|AAAAaaaa|        |00000000|abababab|12341234|123123123|asdasdasd|abcabcab' +
    '|river7river7river7|12341234!|sunshine1sunshine1',
  'a sequence or a keyboard row':
    'abcdefgh|zyxwvuts|Abcdefgh1!|xyzabcdefg|87654321|0987654321|5678901234|23456789!|asdfghjkl' +
    '|lkjhgfdsa|qwertzuiop|azertyui2026|asdf2026!',
  'a word with digits for letters':
    'P4ssw0rd!|p@$$w0rd2026|m3r1d1an|M3R1D14N!|4dm1n15tr4t0r|B1u3sky#1|1L0vey0u|sunsh1ne1|5un5hine',
  'a reversed word': 'nimda123|naidireM2026|drowssaP!',
  'a season, a month or a day with a year':
    'Summer2026!|Winter2025|2026Spring|Summ3r2026|January1!|Monday123',
};

test.each(Object.entries(REFUSED))('%s is refused', async (_, passwords) => {
  const accepted = [];
  for (const password of passwords.split('|')) {
    if (!(await isWeakPassword(password, OWNER))) accepted.push(password);
  }
  expect(accepted).toEqual([]);
});

test.each([
  'Summer evenings on the pier 2026',
  'summer-8231-0945-2207',
  'midsummer2026',
  'aaaa bbbb cccc dddd',
  'abcdefgh rides 87654321 camels',
  'river7 stones river7 stones again',
  '80417362',
  'nimda cafe at the port',
  'winterport',
  'correct horse battery staple',
  'correct horse battery',
  'administration',
  'admin of the harbour',
  'meridians cross here',
  'lima beans for dinner',
  '7291-4480-1653-9027',
  '!7$#x(_=)[}~?,',
  'x7!Kp#2q',
  '🔑🗝️🔒🔓🛡️⚔️🏰🚪',
  'пароль-который-длинный',
  generatePassword(),
])('%s is accepted', async (password) => {
  expect(await isWeakPassword(password, OWNER)).toBe(false);
});

test('a name of two letters does not refuse passwords that contain them', async () => {
  const owner = { username: 'bo', displayName: null };
  expect(await isWeakPassword('bobsled-boat-bonfire', owner)).toBe(false);
  expect(await isWeakPassword('#x9-y8-z7#', { username: 'X9-Y8-Z7', displayName: null })).toBe(
    true,
  );
});

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
  [`eight-ok${'🔑'.repeat(248)}`, 8, null],
  ['x'.repeat(257), 8, 'New password must be at most 256 characters'],
  ['🔑'.repeat(257), 8, 'New password must be at most 256 characters'],
])('%.20s with a minimum of %i', async (password, minLength, problem) => {
  expect(await passwordProblem(password, OWNER, minLength)).toBe(problem);
});
