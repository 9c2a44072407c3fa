import { SPECIFIED_CALLS } from '@meridian/contract/endpoints';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, startTestApp } from '../../test/app.ts';
import { checkUpstream } from './check-upstream.ts';
import type { CheckOptions } from './check-upstream.ts';
import type { Report } from './report.ts';
import { startAlteredServer } from './testing/altered-server.ts';
import { BROKEN_SERVERS } from './testing/broken-servers.ts';
import { EXAMPLE_LOGIN, startExampleServer } from './testing/example-server.ts';
import type { ExampleServer } from './testing/example-server.ts';

let example: ExampleServer;
beforeAll(async () => {
  example = await startExampleServer();
});
afterAll(() => example.close());

const check = (url: string, options: Partial<CheckOptions> = {}) =>
  checkUpstream({
    url: new URL(url),
    credentials: { token: null, ...EXAMPLE_LOGIN },
    withWrites: true,
    ...options,
  });

const differencesIn = ({ calls }: Report) =>
  Object.fromEntries(
    calls
      .filter(({ differences }) => differences.length > 0)
      .map(({ call, differences }) => [call, differences]),
  );
const notPlayedIn = ({ calls }: Report) =>
  calls.filter(({ isPlayed }) => !isPlayed).map(({ call }) => call);

describe('a server that fits', () => {
  test('is accepted with all its changes, and the report says what was left out', async () => {
    const report = await check(example.url);
    expect(differencesIn(report)).toEqual({});
    expect(report.calls).toHaveLength(SPECIFIED_CALLS.length);
    expect(notPlayedIn(report)).toEqual(['POST /api/admin/plans/publish']);
    const leftOut = report.calls.filter(({ notTried }) => notTried.length > 0);
    expect(leftOut.map(({ call }) => call)).toEqual([
      'PUT /api/admin/auth/password',
      'PATCH /api/admin/settings',
      'PATCH /api/admin/users/{id}',
      'POST /api/admin/users/{id}/plan-assignments/{assignmentId}/revoke',
      'PATCH /api/admin/users/{id}/restrictions',
      'PATCH /api/admin/posts/{id}',
      'DELETE /api/admin/posts/{id}',
      'POST /api/admin/posts/{id}/cancel',
      'POST /api/admin/plans/publish',
    ]);
  });

  test('sees no change without --writes', async () => {
    const changes: string[] = [];
    const watched = await startAlteredServer(example.url, {
      request: ({ method, url }) => {
        if (method !== 'GET') changes.push(`${method} ${url.pathname}`);
      },
    });
    const report = await check(watched.url, { withWrites: false });
    await watched.close();
    expect(differencesIn(report)).toEqual({});
    expect(new Set(changes)).toEqual(
      new Set(['POST /api/admin/auth/login', 'POST /api/admin/auth/logout']),
    );
    const unplayed = SPECIFIED_CALLS.filter(
      ({ method, name }) => method !== 'GET' && name !== 'authLogin',
    );
    expect(notPlayedIn(report)).toEqual(unplayed.map(({ method, path }) => `${method} ${path}`));
  });

  test('may have a rate limit', async () => {
    let refused = 0;
    const limited = await startAlteredServer(example.url, {
      response: (sent, { url }) => {
        if (!url.pathname.endsWith('/stats') || sent.status !== 200 || refused > 0) return sent;
        refused += 1;
        return { status: 429, body: { message: 'Slow down' } };
      },
    });
    const report = await check(limited.url, { withWrites: false });
    await limited.close();
    expect([refused, differencesIn(report)]).toEqual([1, {}]);
  });

  test('has nothing changed that it had before', async () => {
    const snapshot = async () => {
      const login = await fetch(`${example.url}/api/admin/auth/login`, {
        method: 'POST',
        body: JSON.stringify(EXAMPLE_LOGIN),
      });
      const { token } = (await login.json()) as { token: string }; // the example has no other form
      const read = async (path: string) =>
        (
          await fetch(`${example.url}/api/admin/${path}`, {
            headers: { authorization: `Bearer ${token}` },
          })
        ).json();
      return Promise.all(['settings', 'stats', 'users', 'posts?limit=100'].map(read));
    };
    const before = await snapshot();
    await check(example.url);
    expect(await snapshot()).toEqual(before);
  });

  test.each(ENGINES)('is Meridian itself on %s', async (engine) => {
    const api = await startTestApp(engine);
    const { token } = await api.signIn();
    const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
    const credentials = { token, username: null, password: null };
    const report = await check(url, { credentials });
    await api.close();
    expect(differencesIn(report)).toEqual({});
  });
});

describe('a server with', () => {
  test.each(BROKEN_SERVERS)(
    '$name is refused in words to act on',
    async ({ call, says, ...alteration }) => {
      const altered = await startAlteredServer(example.url, alteration);
      const differences = differencesIn(await check(altered.url));
      await altered.close();
      expect(differences[call]).toEqual(says);
    },
  );

  test('a wrong login is refused, and nothing else is played', async () => {
    const credentials = { token: null, username: 'admin', password: 'another password' };
    const report = await check(example.url, { credentials });
    expect(differencesIn(report)).toEqual({
      'POST /api/admin/auth/login': [
        'responded with 401 (Invalid username or password) where success is expected',
      ],
    });
  });
});
