import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { authLogin, authMe } from '@meridian/contract/auth';
import { statsGet } from '@meridian/contract/overview';
import { postList } from '@meridian/contract/posts';
import { settingsGet } from '@meridian/contract/settings';
import { ticketGet } from '@meridian/contract/tickets';
import { userGet, userList, userUpdate } from '@meridian/contract/users';
import { call } from '@meridian/ui/api/call.ts';
import { ApiError, messageOf, UnexpectedResponseError } from '@meridian/ui/api/errors.ts';
import { setSession } from '@meridian/ui/api/session.ts';
import { clearToken, onUnauthorized, setToken, startAccess } from './access.ts';

startAccess();

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

let server: Server;
let seen: Seen;
/** Fits every read below. */
const ANYTHING = JSON.stringify({
  username: 'a',
  displayName: null,
  meridian: '0.1.0',
  eventId: '',
  user: {
    id: 'u',
    did: 'did:plc:a',
    handle: 'a.example',
    display_name: null,
    avatar: null,
    status: 'ACTIVE',
    is_active: true,
    has_access_keyword_access: false,
    upgrade_prohibited: false,
    version: 1,
    created_at: '',
    updated_at: '',
  },
  users: [],
  posts: [],
  total: 0,
  cursors: { next: null, previous: null },
});
let answer = { status: 200, body: ANYTHING, headers: {} as Record<string, string> };
let origin = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      seen = { method, url, headers, body: Buffer.concat(chunks).toString() };
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The address of a TCP server is an object once it listens.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vi.stubEnv('VITE_API_BASE_URL', `${origin}/`);
});

afterAll(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  setToken('a-token');
  setSession({ owner: null, isMeridian: true });
});

afterEach(() => {
  clearToken();
  setSession({ owner: null, isMeridian: null });
  answer = { status: 200, body: ANYTHING, headers: {} };
});

function answerWith(status: number, body: unknown, headers: Record<string, string> = {}) {
  answer = { status, body: typeof body === 'string' ? body : JSON.stringify(body), headers };
}

async function failureOf(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error('expected an ApiError');
  return error;
}

describe('what is sent', () => {
  // Proves 6.3, 7.4
  test('the token goes with every call but login', async () => {
    setToken('adm_secret');
    await call(authMe);
    expect(seen.headers.authorization).toBe('Bearer adm_secret');
    answerWith(200, { token: 't' });
    await call(authLogin, { body: { username: 'a', password: 'b' } });
    expect(seen.headers.authorization).toBeUndefined();
    expect(JSON.parse(seen.body)).toEqual({ username: 'a', password: 'b' });
    expect(seen.headers['content-type']).toBe('application/json');
  });

  test('without a token nothing is sent that needs one', async () => {
    clearToken();
    const before = seen;
    const refused: unknown[] = [];
    onUnauthorized((token) => refused.push(token));
    const error = await failureOf(call(authMe));
    expect([error.status, error.message, refused, seen]).toEqual([401, '', [null], before]);
  });

  // Proves 7.3
  test('ids are encoded into the path', async () => {
    await call(userGet, { params: { id: 'a/b?c' } });
    expect(seen.url).toBe('/api/admin/users/a%2Fb%3Fc');
  });

  test('a missing id is an error of ours, not a request', async () => {
    await expect(call(userGet, { params: {} })).rejects.toThrow('userGet needs');
  });

  // Proves 7.5
  test.each([
    [{ limit: 20, offset: 0, status: undefined }, '/api/admin/users?limit=20'],
    [
      { limit: 20, offset: 40, status: 'ACTIVE' },
      '/api/admin/users?limit=20&offset=40&status=ACTIVE',
    ],
    [{}, '/api/admin/users'],
  ] as const)('only what is truthy is asked: %j', async (query, url) => {
    await call(userList, { query });
    expect(seen.url).toBe(url);
  });

  test('empty filters are never sent, odd ones are encoded', async () => {
    await call(postList, { query: { userFilter: '', sort: 'status' } });
    expect(seen.url).toBe('/api/admin/posts?sort=status');
    await call(postList, { query: { userFilter: '100%&x' } });
    expect(seen.url).toBe('/api/admin/posts?userFilter=100%25%26x');
  });

  // Proves 7.3
  test('a body is JSON, no body has no type', async () => {
    await call(userUpdate, { params: { id: '1' }, body: { is_active: false } });
    expect([seen.method, seen.body]).toEqual(['PATCH', '{"is_active":false}']);
    await call(authMe);
    expect(seen.headers['content-type']).toBeUndefined();
  });
});

describe('what is answered', () => {
  test.each(['', '{}', 'null', '[]', '"yes"', '{"users":{}}', '{"users":null,"total":3}'])(
    'a list that is %j has not come, and the screen says so in its own words',
    async (body) => {
      answerWith(200, body);
      const error = await failureOf(call(userList));
      expect(error).toBeInstanceOf(UnexpectedResponseError);
      expect(messageOf(error, 'Failed to load users')).toBe('Failed to load users');
    },
  );

  test.each([
    [userGet, '{}'],
    [userGet, '{"user":null}'],
    [userGet, '{"user":{"handle":"a.example"}}'],
    [userGet, '{"success":true}'],
    [ticketGet, '{"assignments":[]}'],
    [statsGet, '{}'],
    [statsGet, '{"users":{"total":3}}'],
    [settingsGet, '{}'],
    [authMe, '{}'],
  ])('$0.name takes no %s for an answer', async (endpoint, body) => {
    answerWith(200, body);
    const error = await failureOf(call(endpoint, { params: { id: 'x' } }));
    expect(messageOf(error, 'its own words')).toBe('its own words');
  });

  test.each(['', '{}', '{"success":true}', 'null'])(
    'a change that is answered %j is done',
    async (body) => {
      answerWith(200, body);
      const change = call(userUpdate, { params: { id: '1' }, body: { is_active: true } });
      await expect(change).resolves.toBeDefined();
    },
  );

  test('a read waits until it is known whose response it is', async () => {
    setSession({ owner: null, isMeridian: null });
    answerWith(200, { users: [{ id: 7, status: 'ACTIVE' }], total: '1' });
    const users = call(userList);
    await expect(Promise.race([users, Promise.resolve('waits')])).resolves.toBe('waits');
    setSession({ owner: null, isMeridian: false });
    await expect(users).resolves.toMatchObject({ users: [{ id: '7' }], total: 1 });
  });

  test('a server is Meridian when `auth/me` says so', async () => {
    setSession({ owner: null, isMeridian: null });
    await expect(call(authMe)).resolves.toMatchObject({ meridian: '0.1.0' });
    answerWith(200, { username: 'a' });
    await expect(call(authMe)).resolves.toMatchObject({ username: 'a', meridian: '' });
  });

  test('a success that is no JSON is none', async () => {
    answerWith(200, '<html>');
    const error = await failureOf(call(userList));
    expect([error.status, error.message]).toEqual([200, 'Request failed']);
  });

  // Proves 8.1
  test('an error carries all the server said', async () => {
    const issues = [{ path: 'name', message: 'Name is required' }];
    answerWith(
      400,
      { message: 'No', code: 'invalid_input', requestId: 'r1', issues },
      { 'Retry-After': '3' },
    );
    const error = await failureOf(call(userList));
    expect(error).toMatchObject({
      status: 400,
      message: 'No',
      code: 'invalid_input',
      requestId: 'r1',
      issues,
      retryAfterMs: 3000,
    });
  });

  // Proves 8.2, 8.3
  test.each([
    [500, '<html>', 'Request failed'],
    [500, '', 'Request failed'],
    [418, {}, 'HTTP 418'],
    [418, { message: '' }, 'HTTP 418'],
    [418, { message: 7, issues: 'x' }, 'HTTP 418'],
    [418, 'null', 'HTTP 418'],
    [404, { message: 'User not found' }, 'User not found'],
  ])('%i with %j says %s', async (status, body, message) => {
    answerWith(status, body);
    const error = await failureOf(call(userList));
    expect(messageOf(error, 'Failed to load users')).toBe(message);
  });

  // Proves 8.4
  test('no answer at all leaves the words to the screen', async () => {
    vi.stubEnv('VITE_API_BASE_URL', 'http://127.0.0.1:1');
    const error = await failureOf(call(userList));
    vi.stubEnv('VITE_API_BASE_URL', origin);
    expect(error.hasResponse).toBe(false);
    expect(messageOf(error, 'Failed to load users')).toBe('Failed to load users');
  });

  test('an abandoned call is abandoned, not failed', async () => {
    const controller = new AbortController();
    const promise = call(userList, {}, { signal: controller.signal });
    controller.abort();
    await expect(promise).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a refused token', () => {
  test('is reported with the token that was refused, but not by login', async () => {
    const refused: (string | null)[] = [];
    onUnauthorized((token) => refused.push(token));
    setToken('old');
    answerWith(401, { message: 'Sign in to continue' });
    await failureOf(call(userList));
    await failureOf(call(authLogin, { body: { username: 'a', password: 'b' } }));
    expect(refused).toEqual(['old']);
  });
});
