import { RIGHT_NAMES, apiTokenCreate } from '@meridian/contract/api-tokens';
import type { Right } from '@meridian/contract/endpoint';
import { SPECIFIED_CALLS } from '@meridian/contract/endpoints';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkUpstream } from '../../server/src/check-upstream/check-upstream.ts';
import type { Credentials, Finding } from '../../server/src/check-upstream/check-upstream.ts';
import { startAlteredServer } from '../../server/src/check-upstream/testing/altered-server.ts';
import type {
  Alteration,
  Seen,
  Sent,
} from '../../server/src/check-upstream/testing/altered-server.ts';
import {
  EXAMPLE_LOGIN,
  startExampleServer,
} from '../../server/src/check-upstream/testing/example-server.ts';
import type { ExampleServer } from '../../server/src/check-upstream/testing/example-server.ts';
import { EITHER, startTestApp } from '../../server/test/app.ts';

let example: ExampleServer;
beforeAll(async () => {
  example = await startExampleServer();
});
afterAll(() => example.close());

const check = (url: string, credentials: Credentials = EXAMPLE_LOGIN) =>
  checkUpstream(new URL(url), credentials);

/** The problems by call; no call that fits. */
const problemsIn = (findings: readonly Finding[]) =>
  Object.fromEntries(
    findings
      .filter(({ problems }) => problems.size > 0)
      .map(({ call, problems }) => [call, [...problems]]),
  );

const leftOutIn = (findings: readonly Finding[]) =>
  new Set(findings.flatMap(({ leftOut }) => Array.from(leftOut)));

test('the example fits in every read, and nothing is changed', async () => {
  const changes: string[] = [];
  const watched = await startAlteredServer(example.url, {
    request: ({ method, url }) => {
      if (method !== 'GET') changes.push(`${method} ${url.pathname}`);
    },
  });
  const findings = await check(watched.url);
  await watched.close();
  expect(problemsIn(findings)).toEqual({});
  expect(leftOutIn(findings)).toEqual(new Set());
  const reads = SPECIFIED_CALLS.filter(({ method }) => method === 'GET');
  const calls = reads.map(({ method, path }) => `${method} ${path}`);
  expect(findings.map(({ call }) => call).toSorted()).toEqual(
    [...calls, 'POST /api/admin/auth/login'].toSorted(),
  );
  expect(new Set(changes)).toEqual(
    new Set(['POST /api/admin/auth/login', 'POST /api/admin/auth/logout']),
  );
});

test.each(EITHER)(
  'Meridian itself fits on %s, by a session and by an API token',
  async (engine) => {
    const api = await startTestApp(engine);
    const session = await api.signIn();
    const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
    const tokenWith = async (rights: readonly Right[]) => {
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
      const body = { name: 'check', rights, expiresAt };
      return (await api.call(apiTokenCreate, { token: session.token, body })).answer;
    };
    const rights = RIGHT_NAMES.filter((right) => right.endsWith(':read'));
    const bySession = await check(url, session);
    const byToken = await check(url, await tokenWith(rights));
    const byLesser = await check(url, await tokenWith(rights.filter((it) => it !== 'engine:read')));
    await api.close();
    expect(problemsIn(bySession)).toEqual({});
    expect(byToken).toEqual(bySession);
    expect(problemsIn(byLesser)).toEqual({
      'GET /api/admin/stats': ['status: expected success, found 403'],
    });
  },
);

test('a rate limit is waited for', async () => {
  let refused = 0;
  const limited = await startAlteredServer(example.url, {
    response: (sent, { url }) => {
      if (!url.pathname.endsWith('/stats') || sent.status !== 200 || refused > 0) return sent;
      refused += 1;
      return { status: 429, body: { message: 'Slow down' } };
    },
  });
  const findings = await check(limited.url);
  await limited.close();
  expect([refused, problemsIn(findings)]).toEqual([1, {}]);
});

test('with a wrong password nothing else is played', async () => {
  const findings = await check(example.url, { username: 'admin', password: 'another password' });
  expect(problemsIn(findings)).toEqual({
    'POST /api/admin/auth/login': ['status: expected success, found 401'],
  });
});

type Body = Record<string, unknown>;
type Fault = Alteration & { name: string; call: string; says: string[]; leftOut?: string[] };

const isRead = (path: string) => (seen: Seen) =>
  seen.method === 'GET' && seen.url.pathname === `/api/admin/${path}`;
/** Changes the successful responses of a call. */
const instead = (is: (seen: Seen) => boolean, change: (body: Body, seen: Seen) => unknown) => ({
  response: (sent: Sent, seen: Seen): Sent =>
    // The example sends objects only.
    is(seen) && sent.status === 200 ? { ...sent, body: change(sent.body as Body, seen) } : sent,
});
/** Leaves a parameter of a call out. */
const without = (is: (seen: Seen) => boolean, parameter: string) => ({
  request: (seen: Seen) => {
    if (is(seen)) seen.url.searchParams.delete(parameter);
  },
});
const rowsIn = (body: Body, name: string) => body[name] as Body[]; // the example's own list

const FAULTS: readonly Fault[] = [
  {
    name: 'a flag that is a word',
    ...instead(isRead('settings'), (body) => ({ ...body, is_closed_beta: 'a secret word' })),
    call: 'GET /api/admin/settings',
    says: ['is_closed_beta: expected true or false, found a text'],
  },
  {
    name: 'a list that is an object',
    ...instead(isRead('tickets'), ({ tickets }) => ({ tickets: { rows: tickets } })),
    call: 'GET /api/admin/tickets',
    says: ['tickets: expected a list, found an object'],
  },
  {
    name: 'a missing field',
    ...instead(isRead('stats'), ({ posts }) => ({ posts })),
    call: 'GET /api/admin/stats',
    says: ['users: expected an object, found nothing'],
  },
  {
    name: 'a missing field of every row',
    ...instead(isRead('users'), (body) => {
      for (const user of rowsIn(body, 'users')) delete user['id'];
      return body;
    }),
    call: 'GET /api/admin/users',
    says: ['users[].id: expected an id, found nothing'],
  },
  {
    name: 'a total that counts deleted rows too',
    ...instead(isRead('posts'), (body) => ({ ...body, total: Number(body['total']) + 1 })),
    call: 'GET /api/admin/posts',
    says: [
      'total: expected the number of rows of the list, found 46',
      ...['PENDING', 'EXECUTING', 'COMPLETED', 'FAILED', 'CANCELLED'].map(
        (word) =>
          `total with ?status=${word}: expected as many rows on a page of 20, found 10, and 9 rows`,
      ),
    ],
  },
  {
    name: 'a total that counts the page',
    ...instead(isRead('posts'), (body) => ({ ...body, total: rowsIn(body, 'posts').length })),
    call: 'GET /api/admin/posts',
    says: ['total: expected the number of rows of the list, found 20'],
  },
  {
    name: 'ties in another order on every page',
    ...instead(
      (seen) => isRead('posts')(seen) && seen.url.searchParams.get('limit') === '10',
      (body) => ({ ...body, posts: rowsIn(body, 'posts').toReversed() }),
    ),
    call: 'GET /api/admin/posts',
    says: ['status', 'scheduled_at', 'created_at'].flatMap((sort) =>
      ['asc', 'desc'].map(
        (order) =>
          `order with ?sort=${sort}&order=${order}: expected the same in pages of 10 and 20, found another`,
      ),
    ),
  },
  {
    name: 'a filter that does nothing',
    ...without(isRead('users'), 'status'),
    call: 'GET /api/admin/users',
    says: ['ACTIVE', 'SUSPENDED', 'BLOCKED'].map(
      (word) => `status with ?status=${word}: expected that of the filter, found another`,
    ),
  },
  {
    name: 'a page of HTML',
    ...instead(isRead('stats'), () => '<html>'),
    call: 'GET /api/admin/stats',
    says: ['response: expected an object, found nothing'],
  },
  {
    name: 'a read without a token',
    response: (sent, seen) =>
      isRead('stats')(seen) && sent.status === 401 ? { status: 200, body: {} } : sent,
    call: 'GET /api/admin/stats',
    says: ['status without a token: expected 401, found 200'],
  },
  {
    name: 'an unknown id that is a fault',
    response: (sent, { url }) =>
      url.pathname.startsWith('/api/admin/users/') && sent.status === 404
        ? { ...sent, status: 500 }
        : sent,
    call: 'GET /api/admin/users/{id}',
    says: ['status of an unknown id: expected 404, found 500'],
  },
];

test.each(FAULTS)('$name is found', async ({ call, says, ...alteration }) => {
  const altered = await startAlteredServer(example.url, alteration);
  const findings = await check(altered.url);
  await altered.close();
  expect(problemsIn(findings)[call]).toEqual(says);
});

test('a field that has a fallback is named, and the call fits', async () => {
  const altered = await startAlteredServer(
    example.url,
    instead(isRead('users'), (body) => {
      for (const user of rowsIn(body, 'users')) delete user['avatar'];
      return body;
    }),
  );
  const findings = await check(altered.url);
  await altered.close();
  expect(problemsIn(findings)).toEqual({});
  expect(leftOutIn(findings)).toEqual(new Set(['users.avatar']));
});
