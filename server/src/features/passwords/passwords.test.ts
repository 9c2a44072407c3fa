import { authLogin, authMe, authPassword } from '@meridian/contract/auth';
import { describe, expect, test } from 'vitest';
import { EITHER, setUpApp, startTestApp } from '../../../test/app.ts';

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
