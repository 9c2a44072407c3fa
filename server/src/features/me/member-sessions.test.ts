import { meGet, meSignOut } from '@meridian/contract/me/account';
import { describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { signInMember } from '../../../test/members.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

const CLEARED = '__Host-member=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax';

describe.each(EITHER)('a session of a member, on the %s database', (engine) => {
  const api = setUpApp(engine);

  async function person() {
    const id = await insertUser(api.db);
    return { id, headers: await signInMember(api, id) };
  }
  const me = (headers: Record<string, string>) => api.call(meGet, { headers });
  const settings = (change: Sql) => api.db.execute(sql`update service_settings set ${change}`);

  test('is that of its member', async () => {
    const { id, headers } = await person();
    const other = await person();
    expect((await me(headers)).answer.user.id).toBe(id);
    expect((await me(other.headers)).answer.user.id).toBe(other.id);
  });

  test('is stored as a hash', async () => {
    const { id, headers } = await person();
    const [, token = ''] = headers.cookie.split('=');
    const rows = await api.db.many<{ hash: Buffer }>(
      sql`select token_hash as hash from member_sessions where user_id = ${id}`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.hash.includes(token)).toBe(false);
  });

  test.each([
    [{}, 'unauthenticated'],
    [{ cookie: '__Host-member=' }, 'unauthenticated'],
    [{ cookie: '__Host-member=%00%ff' }, 'unauthenticated'],
    [{ cookie: `__Host-member=${'a'.repeat(43)}` }, 'session_ended'],
    [{ cookie: `member=${'a'.repeat(43)}` }, 'unauthenticated'],
    [{ authorization: `Bearer ${'a'.repeat(43)}` }, 'unauthenticated'],
  ] as const)('is needed: %j is %s', async (headers, code) => {
    expect(refusal(await me(headers))).toEqual(catalogued(code));
  });

  test('of an administrator opens nothing here, and the other way round', async () => {
    const { token } = await api.signIn();
    const { headers } = await person();
    expect((await api.call(meGet, { token })).status).toBe(401);
    const response = await api.app.inject({ url: '/api/admin/stats', headers });
    expect(response.statusCode).toBe(401);
  });

  test('ends with sign-out, and no other does', async () => {
    const { id, headers } = await person();
    const elsewhere = await signInMember(api, id);
    const out = await api.call(meSignOut, { headers });
    expect(out.answer).toEqual({ success: true });
    expect(out.headers['set-cookie']).toBe(CLEARED);
    const after = await me(headers);
    expect(refusal(after)).toEqual(catalogued('session_ended'));
    expect(after.headers['set-cookie']).toBe(CLEARED);
    expect((await me(elsewhere)).status).toBe(200);
  });

  test.each([
    ['blocked', sql`status = 'BLOCKED'`],
    ['deactivated', sql`is_active = false`],
  ])('ends with the next request of a member who is %s', async (_, change) => {
    const { id, headers } = await person();
    await api.db.execute(sql`update users set ${change} where id = ${id}`);
    expect(refusal(await me(headers))).toEqual(catalogued('session_ended'));
  });

  test('of a suspended member reads and changes nothing', async () => {
    const { id, headers } = await person();
    await api.db.execute(sql`update users set status = 'SUSPENDED' where id = ${id}`);
    expect((await me(headers)).answer.schedule).toMatchObject({ isAllowed: false });
    expect((await api.call(meSignOut, { headers })).status).toBe(200);
  });

  test('of a suspended service shows only that it is', async () => {
    const { headers } = await person();
    await settings(sql`is_service_suspended = true`);
    expect((await me(headers)).answer.service.isSuspended).toBe(true);
    const refused = await api.call(meSignOut, { headers });
    expect(refusal(refused)).toEqual(catalogued('service_suspended'));
    expect(refused.headers['retry-after']).toBe('60');
    await settings(sql`is_service_suspended = false`);
  });

  test('lasts thirty days from its last use, and so does the cookie', async () => {
    const { id, headers } = await person();
    const age = (interval: string) =>
      api.db.execute(sql`
        update member_sessions set last_seen_at = last_seen_at - ${interval}::interval,
          expires_at = expires_at - ${interval}::interval where user_id = ${id}`);
    expect((await me(headers)).headers['set-cookie']).toBeUndefined();
    await age('29 days');
    expect((await me(headers)).headers['set-cookie']).toBe(
      `${headers.cookie}; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax`,
    );
    await age('30 days 1 second');
    expect(refusal(await me(headers))).toEqual(catalogued('session_ended'));
    await api.context.memberSessions.deleteExpired();
    const { n } = await api.db.one<{ n: number }>(
      sql`select count(*)::int as n from member_sessions where user_id = ${id}`,
    );
    expect(n).toBe(0);
  });
});

describe('a change that another site sends', () => {
  const api = setUpApp('embedded');
  let cookie: string;

  const signOut = async (headers: Record<string, string>, payload?: string) => {
    ({ cookie } = await signInMember(api, await insertUser(api.db)));
    const { statusCode } = await api.app.inject({
      method: 'POST',
      url: meSignOut.path,
      headers: { host: 'localhost:3000', cookie, ...headers },
      ...(payload !== undefined && { payload }),
    });
    const isStillIn = (await api.call(meGet, { headers: { cookie } })).status === 200;
    expect(isStillIn).toBe(statusCode !== 200);
    return statusCode;
  };

  test.each([
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3000' }, 200],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'none' }, 403],
    [{ 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' }, 403],
    [{ origin: 'http://localhost:3000' }, 200],
    [{ origin: 'http://localhost:3001' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://localhost:3000.evil.example' }, 403],
    [{}, 200],
  ])('with %j gets %i', async (headers, status) => {
    expect(await signOut(headers)).toBe(status);
  });

  test.each([
    ['application/json', '{}', 200],
    ['application/x-www-form-urlencoded', 'a=b', 415],
    ['multipart/form-data; boundary=x', '--x--', 415],
    ['text/plain', '{}', 415],
    ['text/plain', '', 415],
    ['application/x-www-form-urlencoded', '', 415],
  ])('as %s %j gets %i', async (type, payload, status) => {
    expect(await signOut({ 'content-type': type }, payload)).toBe(status);
  });
});
