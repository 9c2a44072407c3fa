import { argon2Sync } from 'node:crypto';
import { authLogin, authLogout, authMe, authPassword } from '@meridian/contract/auth';
import { describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { tableContents } from '../../../test/table-contents.ts';
import { sql } from '../../db/sql.ts';
import { hashToken } from './sessions.service.ts';
import { findSessions } from './sessions.store.ts';

/** Parameters, 16 bytes of salt, 32 bytes of tag. */
const PHC = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/;

describe.each(EITHER)('sessions on %s', (engine) => {
  const api = setUpApp(engine);

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
        { username: 'unknown-name', password },
        { username: 'zero\u200bwidth', password },
      ];
      const responses = [];
      for (const body of attempts) responses.push(await api.call(authLogin, { body }));
      for (const { status, error, headers } of responses) {
        expect(status).toBe(401);
        expect(error).toMatchObject({
          message: 'Invalid username or password',
          code: 'invalid_credentials',
        });
        expect(headers['content-length']).toBe(responses[0]?.headers['content-length']);
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
    ])('refuses the body %j', async (body, message) => {
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
      const { username, password, token } = await api.signIn();
      const { answer } = await api.call(authLogin, { body: { username, password } });
      const newPassword = 'stored nowhere as it is';
      const body = { currentPassword: password, newPassword };
      expect((await api.call(authPassword, { token: answer.token, body })).status).toBe(200);
      const stored = await tableContents(api.db);
      expect(stored).toContain(hashToken(answer.token).toString('hex'));
      for (const secret of [token, answer.token, password, newPassword]) {
        for (const form of formsOf(secret)) {
          expect(stored).not.toContain(form);
          expect(api.logged.join('')).not.toContain(form);
        }
      }
      const hashes = await api.db.many<{ password_hash: string }>(
        sql`select password_hash from admins`,
      );
      for (const { password_hash } of hashes) {
        expect(password_hash).toMatch(PHC);
      }
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

    test('of an unknown token is refused', async () => {
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

    test.each([
      ['idle', sql`last_seen_at = now() - interval '30 minutes'`, sql`last_seen_at`],
      ['since its start', sql`created_at = now() - interval '12 hours'`, sql`created_at`],
      ['to its end', sql`expires_at = now()`, sql`expires_at`],
    ])('ends to the millisecond: %s', async (_, atTheLimit, column) => {
      const { token, adminId } = await api.signIn();
      const tokenHash = hashToken(token);
      // now() is constant within a transaction.
      const [before, after] = await api.db.transaction(async (tx) => {
        const { session } = api.context.config;
        await tx.execute(sql`
          update admin_sessions set ${atTheLimit} where admin_id = ${adminId}`);
        const at = await findSessions(tx, [tokenHash], session);
        await tx.execute(sql`
          update admin_sessions set ${column} = ${column} + interval '1 millisecond'
          where admin_id = ${adminId}`);
        return [at, await findSessions(tx, [tokenHash], session)];
      });
      expect(before).toEqual([]);
      expect(after).toMatchObject([{ admin_id: adminId }]);
    });

    test('that ended a day ago is deleted, like rate limit counters of that age', async () => {
      const [old, live] = [await api.signIn(), await api.signIn()];
      await api.db.execute(sql`
        update admin_sessions set expires_at = now() - interval '25 hours'
        where admin_id = ${old.adminId}`);
      await api.db.execute(sql`
        insert into attempt_buckets (key, attempts, started_at, allowed, updated_at)
        select sha256(hours::text::bytea), 1, now(), true, now() - make_interval(hours => hours)
        from unnest(array[1, 25]) as hours`);
      await api.context.sessions.deleteEnded();
      await api.context.signInLimits.deleteOld();
      const left = await api.db.one(sql`
        select (select count(*) from admin_sessions where admin_id = ${old.adminId}) as old,
               (select count(*) from admin_sessions where admin_id = ${live.adminId}) as live,
               (select count(*) from attempt_buckets where key = sha256('1')) as recent,
               (select count(*) from attempt_buckets where key = sha256('25')) as aged`);
      expect(left).toEqual({ old: 0, live: 1, recent: 1, aged: 0 });
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
});

/** A hash with parameters below the current ones. */
function weakHash(password: string): string {
  const nonce = Buffer.from('0123456789abcdef');
  const cost = { memory: 8192, passes: 1, parallelism: 1, tagLength: 32 };
  const tag = argon2Sync('argon2id', { message: password, nonce, ...cost });
  const [salt, sum] = [nonce, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
  return `$argon2id$v=19$m=8192,t=1,p=1$${salt}$${sum}`;
}

/** The beginning of a secret in the encodings in which it could be stored. */
function formsOf(secret: string): string[] {
  const start = secret.replace('adm_', '').slice(0, 12);
  const bytes = [Buffer.from(start), Buffer.from(start, 'base64url')];
  return [start, ...bytes.flatMap((one) => [one.toString('hex'), one.toString('base64')])];
}
