import { authLogout, authMe } from '@meridian/contract/auth';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { startTestApp } from '../../test/app.ts';
import { answerErrors } from '../http/errors.ts';
import { limitPerSession } from '../http/auth.ts';

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
