import { authLogin, authMe, authPassword } from '@meridian/contract/auth';
import { dictionary } from '@zxcvbn-ts/language-common';
import { describe, expect, test } from 'vitest';
import { EITHER, setUpApp, startTestApp } from '../../../test/app.ts';
import {
  generatePassword,
  hashPassword,
  isOutdated,
  isWeakPassword,
  passwordProblem,
  unmatchableHash,
  verifyPassword,
} from './passwords.ts';

describe.each(EITHER)('changing the password on %s', (engine) => {
  const api = setUpApp(engine);

  const newPassword = 'a wholly new password';

  test('ends every other session of this administrator', async () => {
    const { username, password, token } = await api.signIn();
    const neighbour = await api.signIn();
    const other = (await api.call(authLogin, { body: { username, password } })).answer.token;
    const { answer } = await api.call(authPassword, {
      token,
      body: { currentPassword: password, newPassword },
    });
    expect(answer).toEqual({ success: true });
    expect((await api.call(authMe, { token })).status).toBe(200);
    expect((await api.call(authMe, { token: other })).error.code).toBe('session_ended');
    expect((await api.call(authMe, { token: neighbour.token })).status).toBe(200);
    expect((await api.call(authLogin, { body: { username, password } })).status).toBe(401);
    const again = await api.call(authLogin, { body: { username, password: newPassword } });
    expect(again.status).toBe(200);
  });

  test('refuses a wrong current password without signing out', async () => {
    const { token } = await api.signIn();
    const { status, error } = await api.call(authPassword, {
      token,
      body: { currentPassword: 'something else', newPassword },
    });
    expect(status).toBe(400);
    expect(error).toMatchObject({
      message: 'Current password is incorrect',
      code: 'wrong_current_password',
    });
    expect((await api.call(authMe, { token })).status).toBe(200);
  });

  test('refuses fewer than eight characters', async () => {
    const { token, password } = await api.signIn();
    const { status, error } = await api.call(authPassword, {
      token,
      body: { currentPassword: password, newPassword: 'seven77' },
    });
    expect(status).toBe(400);
    expect(error.message).toBe('New password must be at least 8 characters');
    expect(error.issues?.[0]?.path).toBe('newPassword');
  });

  test('refuses a password that is easy to guess, at its field', async () => {
    const { token, username, password } = await api.signIn();
    for (const newPassword of ['Password123', `${username}!`, 'Meridian-2026']) {
      const { status, error } = await api.call(authPassword, {
        token,
        body: { currentPassword: password, newPassword },
      });
      expect(status).toBe(400);
      expect(error.code).toBe('weak_password');
      expect(error.message).toMatch(/^This password is too easy to guess\. /);
      expect(error.issues).toEqual([{ path: 'newPassword', message: error.message }]);
    }
    // A wrong current password is reported first.
    const wrong = { currentPassword: 'something else', newPassword: 'Password123' };
    const response = await api.call(authPassword, { token, body: wrong });
    expect(response.error.code).toBe('wrong_current_password');
    expect((await api.call(authLogin, { body: { username, password } })).status).toBe(200);
  });

  test('accepts any text of up to 256 characters, and signs in with exactly that', async () => {
    const { token, username, password } = await api.signIn();
    let currentPassword = password;
    for (const newPassword of [
      'ëight-ok',
      ' both ends ',
      `eight-ok${'🔑'.repeat(248)}`,
      `eight-ok${'x'.repeat(248)}`,
    ]) {
      const body = { currentPassword, newPassword };
      expect((await api.call(authPassword, { token, body })).status).toBe(200);
      const login = { username, password: newPassword };
      expect((await api.call(authLogin, { body: login })).status).toBe(200);
      currentPassword = newPassword;
    }
    const body = { currentPassword, newPassword: 'x'.repeat(257) };
    const { status, error } = await api.call(authPassword, { token, body });
    expect(status).toBe(400);
    expect(error.message).toBe('New password must be at most 256 characters');
  });

  test('one of two simultaneous changes wins', async () => {
    const { username, password, token } = await api.signIn();
    const attempts = ['first new password', 'second new password'].map((candidate) =>
      api.call(authPassword, {
        token,
        body: { currentPassword: password, newPassword: candidate },
      }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 400]));
    const winner = statuses[0] === 200 ? 'first new password' : 'second new password';
    const login = await api.call(authLogin, { body: { username, password: winner } });
    expect(login.status).toBe(200);
  });
});

test('PASSWORD_MIN_LENGTH asks for longer passwords', async () => {
  const api = await startTestApp('embedded', { env: { PASSWORD_MIN_LENGTH: '15' } });
  const { token, password } = await api.signIn();
  for (const newPassword of ['seven77', 'fourteen chars']) {
    const { status, error } = await api.call(authPassword, {
      token,
      body: { currentPassword: password, newPassword },
    });
    expect(status).toBe(400);
    expect(error.message).toBe('New password must be at least 15 characters');
  }
  await api.close();
});

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

const parametersOf = (phc: string) => phc.split('$').slice(0, 4).join('$');

test('a hash matches its password to the byte, and no other', async () => {
  const password = ' Pässwörd 🔑 ';
  const hash = await hashPassword(password);
  expect(await verifyPassword(password, hash)).toBe(true);
  for (const other of [password.trim(), password.toLowerCase(), password.normalize('NFD'), '']) {
    expect(await verifyPassword(other, hash)).toBe(false);
  }
});

test('nothing of a long password is cut off', async () => {
  const hash = await hashPassword('x'.repeat(256));
  expect(await verifyPassword('x'.repeat(255), hash)).toBe(false);
  expect(await verifyPassword(`${'x'.repeat(255)}y`, hash)).toBe(false);
});

test('the hash for unknown names costs the same and matches nothing', async () => {
  const [real, unmatchable] = [await hashPassword('correct horse battery'), unmatchableHash()];
  expect(parametersOf(unmatchable)).toBe(parametersOf(real));
  expect(parametersOf(real)).toBe('$argon2id$v=19$m=19456,t=2,p=1');
  expect(unmatchable).toHaveLength(real.length);
  expect(isOutdated(unmatchable)).toBe(false);
  expect(await verifyPassword('', unmatchable)).toBe(false);
});

test('the same password never gives the same hash', async () => {
  const [one, other] = await Promise.all([hashPassword('the same'), hashPassword('the same')]);
  expect(one).not.toBe(other);
});
