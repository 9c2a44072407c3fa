import { MEMBER_HEADER, apiTokenCreate, meTokenList } from '@meridian/contract/api-tokens';
import { authLogout, authMe } from '@meridian/contract/auth';
import type { Endpoint } from '@meridian/contract/endpoint';
import { meGet, meSignInResult } from '@meridian/contract/me/account';
import { userList } from '@meridian/contract/users';
import { fastify } from 'fastify';
import type { InjectOptions } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp, startTestApp } from '../../test/app.ts';
import { SHUT_CALLS, aimAtRows } from '../../test/every-call.ts';
import type { Aim } from '../../test/every-call.ts';
import { tableContents } from '../../test/table-contents.ts';
import { sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { newToken } from '../features/sessions/sessions.service.ts';
import { limitPerSession } from './limits.ts';
import { answerErrors } from './errors.ts';
import { AUTH_HEADERS, pathSpellings } from './testing/bypasses.ts';

const MALFORMED = { code: 'unauthenticated', message: 'Sign in to continue' };
const ENDED = { code: 'session_ended', message: 'Your session has ended. Sign in again' };

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const swapCase = (text: string) =>
  text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

describe.each(EITHER)('a call without a live session, on %s', (engine) => {
  const api = setUpApp(engine);
  let aim: Aim;
  let live: string;
  beforeAll(async () => {
    ({ token: live } = await api.signIn());
    aim = await aimAtRows(api.db);
  });

  /** A token that was good until this happened to its session. */
  const spoilt = async (change: Sql) => {
    const { token, adminId } = await api.signIn();
    await api.db.execute(sql`update admin_sessions set ${change} where admin_id = ${adminId}`);
    return token;
  };
  const ofDisabled = async () => {
    const { token, adminId } = await api.signIn();
    await api.db.execute(sql`update admins set disabled_at = now() where id = ${adminId}`);
    return token;
  };
  const request = (endpoint: Endpoint, options: Omit<InjectOptions, 'method'> = {}) =>
    api.app.inject({ method: endpoint.method, url: aim(endpoint), ...options });

  const kinds: [string, () => Promise<Record<string, string>> | Record<string, string>, object][] =
    [
      ['no header', () => ({}), MALFORMED],
      ['an empty header', () => ({ authorization: '' }), MALFORMED],
      ['a scheme alone', () => ({ authorization: 'Bearer ' }), MALFORMED],
      ['the token alone', () => ({ authorization: live }), MALFORMED],
      ['another scheme', () => ({ authorization: `Basic ${btoa(`admin:${live}`)}` }), MALFORMED],
      ['a truncated token', () => bearer(live.slice(0, -1)), MALFORMED],
      ['a longer token', () => bearer(`${live}A`), MALFORMED],
      ['a prefix in capitals', () => bearer(live.replace('adm_', 'ADM_')), MALFORMED],
      ['two tokens', () => bearer(`${live} ${live}`), MALFORMED],
      ['the token as a cookie', () => ({ cookie: `admin_token=${live}` }), MALFORMED],
      ['an invented token', () => bearer(newToken()), ENDED],
      ['the other case', () => bearer(`adm_${swapCase(live.slice(4))}`), ENDED],
      [
        'another last letter',
        () => bearer(live.slice(0, -1) + (live.endsWith('A') ? 'B' : 'A')),
        ENDED,
      ],
      ['a revoked session', async () => bearer(await spoilt(sql`revoked_at = now()`)), ENDED],
      ['an expired session', async () => bearer(await spoilt(sql`expires_at = now()`)), ENDED],
      [
        'an idle session',
        async () => bearer(await spoilt(sql`last_seen_at = now() - interval '31 minutes'`)),
        ENDED,
      ],
      ['an older epoch', async () => bearer(await spoilt(sql`epoch = epoch - 1`)), ENDED],
      ['a disabled administrator', async () => bearer(await ofDisabled()), ENDED],
    ];

  test.each(kinds)(
    'with %s is refused in the same words everywhere and writes nothing',
    async (_, make, refusal) => {
      const headers = await make();
      const before = await tableContents(api.db);
      for (const endpoint of SHUT_CALLS) {
        const response = await request(endpoint, { headers });
        expect([endpoint.name, response.statusCode]).toEqual([endpoint.name, 401]);
        expect(response.headers['www-authenticate']).toBe('Bearer');
        expect(response.json()).toEqual({ ...refusal, requestId: expect.any(String) });
      }
      expect(await tableContents(api.db)).toBe(before);
    },
  );

  test('under any spelling of its URL is never served', async () => {
    const before = await tableContents(api.db);
    for (const endpoint of SHUT_CALLS) {
      for (const url of pathSpellings(aim(endpoint))) {
        const { statusCode } = await request(endpoint, { url });
        expect([url, statusCode >= 400]).toEqual([url, true]);
      }
    }
    expect(await tableContents(api.db)).toBe(before);
  });

  test('is not let in by any header that somewhere stands for an identity', async () => {
    expect(AUTH_HEADERS.length).toBeGreaterThanOrEqual(300);
    const me = SHUT_CALLS.find(({ name }) => name === 'authMe');
    const write = SHUT_CALLS.find(({ name }) => name === 'settingsUpdate');
    for (const endpoint of [me, write]) {
      if (endpoint === undefined) throw new Error('A call is missing');
      for (const headers of AUTH_HEADERS) {
        const { statusCode } = await request(endpoint, { headers });
        expect([headers, statusCode]).toEqual([headers, 401]);
      }
    }
  });
});

/** Calls of the session that their header names, at the time that the test decides. */
async function limited(perMinute: number) {
  const clock = { ms: 0 };
  const app = fastify();
  answerErrors(app);
  await app.register(async (scope) => {
    scope.decorateRequest('actor');
    scope.addHook('onRequest', async (request) => {
      const tokenHash = Buffer.from(String(request.headers['x-session']));
      const { id: requestId, ip: network } = request;
      const admin = { adminId: 'a', username: 'a', displayName: null };
      request.actor = { ...admin, tokenHash, requestId, network };
    });
    limitPerSession(scope, perMinute, () => clock.ms);
    scope.get('/work', () => ({ done: true }));
  });
  const call = (session: string) => app.inject({ url: '/work', headers: { 'x-session': session } });
  const statuses = async (session: string, count: number) => {
    const found = [];
    for (let n = 0; n < count; n += 1) found.push((await call(session)).statusCode);
    return found;
  };
  return { app, clock, call, statuses };
}

test('each session has its own minute, and its refusal says when to retry', async () => {
  const { app, clock, call, statuses } = await limited(3);
  expect(await statuses('one', 4)).toEqual([200, 200, 200, 429]);
  clock.ms = 20_500;
  expect(await statuses('other', 3)).toEqual([200, 200, 200]);
  const refused = await call('one');
  expect(refused.statusCode).toBe(429);
  expect(refused.headers['retry-after']).toBe('40');
  expect(refused.json().code).toBe('too_many_requests');
  clock.ms = 60_000;
  expect(await statuses('one', 4)).toEqual([200, 200, 200, 429]);
  expect((await call('other')).statusCode).toBe(429);
  clock.ms = 80_500;
  expect(await statuses('other', 1)).toEqual([200]);
  await app.close();
});

test('zero is no limit', async () => {
  const { app, statuses } = await limited(0);
  expect(new Set(await statuses('one', 100))).toEqual(new Set([200]));
  await app.close();
});

test('holds for the calls of the API, per session and not per administrator or address', async () => {
  const api = await startTestApp('embedded', { env: { SESSION_RATE_LIMIT: '5' } });
  const [one, other] = [await api.signIn(), await api.signIn()];
  const statuses = [];
  for (let n = 0; n < 6; n += 1)
    statuses.push((await api.call(authMe, { token: one.token })).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  expect((await api.call(authMe, { token: other.token })).status).toBe(200);
  // An unknown token is refused as ever and counts for nothing.
  expect((await api.call(authMe, { token: `adm_${'a'.repeat(43)}` })).status).toBe(401);
  // Ending the session stays possible.
  expect((await api.call(authLogout, { token: one.token })).status).toBe(200);
  expect((await api.call(authMe, { token: one.token })).status).toBe(401);
  await api.close();
});

test('every call of a token counts towards its minute, refused ones too', async () => {
  const api = await startTestApp('embedded', { env: { SESSION_RATE_LIMIT: '5' } });
  const { token: session } = await api.signIn();
  const { answer } = await api.call(apiTokenCreate, {
    token: session,
    body: {
      name: 'nightly',
      rights: ['members'],
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    },
  });
  const { token } = answer;
  const calls = [
    () => api.call(userList, { token }),
    () => api.call(meTokenList, { token }),
    () => api.call(meGet, { token, headers: { [MEMBER_HEADER]: 'did:plc:unknown' } }),
    () => api.call(meGet, { token }),
    () => api.call(meSignInResult, { token, body: { signInId: 'a', code: 'b' } }),
    () => api.call(userList, { token }),
  ];
  const statuses = [];
  for (const call of calls) statuses.push((await call()).status);
  expect(statuses).toEqual([403, 403, 404, 400, 409, 429]);
  await api.close();
});
