import { argon2Sync } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { authLogin, authLogout, authMe, authPassword } from '@meridian/contract/auth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { sql } from '../../db/sql.ts';
import { ensureFirstAdmin } from './first-admin.ts';

describe.each(ENGINES)('authentication on %s', (engine) => {
  let api: TestApp;
  beforeAll(async () => {
    api = await startTestApp(engine);
  });
  afterAll(() => api.close());

  describe('login', () => {
    test('gives a token that works, whatever the case of the name', async () => {
      const { username, password } = await api.signIn('mixed.case');
      const { answer } = await api.call(authLogin, {
        body: { username: ` ${username.toUpperCase()} `, password },
      });
      expect(answer.admin).toEqual({ username, displayName: null });
      expect(answer.token).toMatch(/^adm_[\w-]{43}$/);
      const me = await api.call(authMe, { token: answer.token });
      expect(me.answer).toMatchObject({ username, displayName: null });
    });

    test('refuses a wrong password, an unknown name and an impossible one alike', async () => {
      const { username, password } = await api.signIn();
      const attempts = [
        { username, password: `${password}x` },
        { username: 'nobody-at-all', password },
        { username: 'zero\u200bwidth', password },
      ];
      const answers = [];
      for (const body of attempts) answers.push(await api.call(authLogin, { body }));
      for (const { status, error, headers } of answers) {
        expect(status).toBe(401);
        expect(error).toMatchObject({
          message: 'Invalid username or password',
          code: 'invalid_credentials',
        });
        expect(headers['content-length']).toBe(answers[0]?.headers['content-length']);
      }
    });

    test('refuses a disabled administrator', async () => {
      const { username, password, token } = await api.signIn();
      await api.db.execute(sql`update admins set disabled_at = now() where username = ${username}`);
      expect((await api.call(authLogin, { body: { username, password } })).status).toBe(401);
      expect((await api.call(authMe, { token })).error.code).toBe('session_ended');
    });

    test.each([
      [{}, 'Username is required'],
      [{ username: 'a' }, 'Password is required'],
      [{ username: 'a', password: 'b', extra: 1 }, 'Unknown field: extra'],
      [{ username: 1, password: 'b' }, 'Username is required'],
    ])('asks for what is missing in %j', async (body, message) => {
      const { status, error } = await api.call(authLogin, { body });
      expect(status).toBe(400);
      expect(error).toMatchObject({ message, code: 'invalid_input' });
      expect(error.issues?.length).toBeGreaterThan(0);
    });

    test('keeps the ten newest sessions', async () => {
      const { username, password, token } = await api.signIn();
      const tokens = [];
      for (let n = 0; n < 10; n += 1) {
        const { answer } = await api.call(authLogin, { body: { username, password } });
        tokens.push(answer.token);
      }
      expect((await api.call(authMe, { token })).error.code).toBe('session_ended');
      expect((await api.call(authMe, { token: tokens[0] })).status).toBe(200);
    });

    test('stores neither the token nor the password', async () => {
      const { username, password } = await api.signIn();
      const { answer } = await api.call(authLogin, { body: { username, password } });
      const rows = await api.db.many(
        sql`select a.*, encode(s.token_hash, 'escape') as hash from admins a join admin_sessions s on s.admin_id = a.id`,
      );
      const stored = JSON.stringify(rows) + api.logged.join('');
      expect(stored).not.toContain(answer.token);
      expect(stored).not.toContain(password);
      expect(stored).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
    });

    test('brings an old hash up to today’s parameters', async () => {
      const { username, password } = await api.signIn();
      const old = weakHash(password);
      await api.db.execute(
        sql`update admins set password_hash = ${old} where username = ${username}`,
      );
      expect((await api.call(authLogin, { body: { username, password } })).status).toBe(200);
      const row = await api.db.one<{ password_hash: string }>(
        sql`select password_hash from admins where username = ${username}`,
      );
      expect(row.password_hash).toContain('m=19456,t=2,p=1');
      expect((await api.call(authLogin, { body: { username, password } })).status).toBe(200);
    });
  });

  describe('a session', () => {
    test.each([
      ['none', undefined],
      ['nothing after the scheme', 'Bearer'],
      ['another scheme', 'Basic YWRtaW46YWRtaW4='],
      ['a short token', 'Bearer adm_abc'],
      ['two tokens', `Bearer adm_${'a'.repeat(43)} adm_${'b'.repeat(43)}`],
    ])('needs a token: %s', async (_, authorization) => {
      const { status, error, headers } = await api.call(authMe, {
        headers: authorization === undefined ? {} : { authorization },
      });
      expect(status).toBe(401);
      expect(error).toMatchObject({ code: 'unauthenticated', message: 'Sign in to continue' });
      expect(headers['www-authenticate']).toBe('Bearer');
    });

    test('of an unknown token has ended', async () => {
      const { status, error } = await api.call(authMe, { token: `adm_${'a'.repeat(43)}` });
      expect(status).toBe(401);
      expect(error.code).toBe('session_ended');
    });

    test.each([
      ['after 30 idle minutes', sql`last_seen_at = now() - interval '30 minutes 1 second'`, 401],
      ['not after 29', sql`last_seen_at = now() - interval '29 minutes'`, 200],
      ['at its end', sql`expires_at = now() - interval '1 second'`, 401],
      ['twelve hours after its start', sql`created_at = now() - interval '12 hours 1 second'`, 401],
      ['when revoked', sql`revoked_at = now()`, 401],
      ['with an older epoch', sql`epoch = epoch - 1`, 401],
    ])('ends %s', async (_, change, status) => {
      const { token, adminId } = await api.signIn();
      await api.db.execute(sql`update admin_sessions set ${change} where admin_id = ${adminId}`);
      expect((await api.call(authMe, { token })).status).toBe(status);
    });

    test('is written to at most once a minute', async () => {
      const { token, adminId } = await api.signIn();
      const lastSeen = async () =>
        (
          await api.db.one<{ at: string }>(
            sql`select last_seen_at::text as at from admin_sessions where admin_id = ${adminId}`,
          )
        ).at;
      const atFirst = await lastSeen();
      await api.call(authMe, { token });
      expect(await lastSeen()).toBe(atFirst);
      await api.db.execute(
        sql`update admin_sessions set last_seen_at = now() - interval '2 minutes' where admin_id = ${adminId}`,
      );
      const aged = await lastSeen();
      await api.call(authMe, { token });
      expect(await lastSeen()).not.toBe(aged);
    });

    test('ends with logout, and only this one', async () => {
      const { username, password, token } = await api.signIn();
      const { answer } = await api.call(authLogin, { body: { username, password } });
      expect((await api.call(authLogout, { token })).answer).toEqual({ success: true });
      expect((await api.call(authMe, { token })).error.code).toBe('session_ended');
      expect((await api.call(authMe, { token: answer.token })).status).toBe(200);
    });
  });

  describe('changing the password', () => {
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

    test('lets one of two simultaneous changes win', async () => {
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
});

describe.each(ENGINES)('the first administrator on %s', (engine) => {
  let api: TestApp;
  beforeAll(async () => {
    api = await startTestApp(engine);
  });
  afterAll(() => api.close());

  test('is made once, with a password only in a private file that goes when it is changed', async () => {
    const { db, initialPassword: file } = api.context;
    const options = { db, username: 'admin', password: null, file };
    const made = await Promise.all([1, 2, 3].map(() => ensureFirstAdmin(options)));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await ensureFirstAdmin(options)).toBe(false);

    const password = (await readFile(file.path, 'utf8')).trimEnd();
    expect(password).toMatch(/^[a-z2-9]{24}$/);
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);

    const login = await api.call(authLogin, { body: { username: 'admin', password } });
    const { token } = login.answer;
    const other = await api.signIn();
    await api.call(authPassword, {
      token: other.token,
      body: { currentPassword: other.password, newPassword: 'of somebody else' },
    });
    expect(await file.read()).toBe(password);
    await api.call(authPassword, {
      token,
      body: { currentPassword: password, newPassword: 'now my own password' },
    });
    expect(await file.read()).toBeNull();
  });
});

/** What an older release, content with less, would have stored. */
function weakHash(password: string): string {
  const nonce = Buffer.from('0123456789abcdef');
  const cost = { memory: 8192, passes: 1, parallelism: 1, tagLength: 32 };
  const tag = argon2Sync('argon2id', { message: password, nonce, ...cost });
  const [salt, sum] = [nonce, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
  return `$argon2id$v=19$m=8192,t=1,p=1$${salt}$${sum}`;
}
