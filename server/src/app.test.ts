import { authLogin, authMe, authPassword } from '@meridian/contract/auth';
import { ENDPOINTS } from '@meridian/contract/endpoints';
import { ME_ENDPOINTS } from '@meridian/contract/me/endpoints';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, setUpApp, startTestApp } from '../test/app.ts';
import type { TestApp } from '../test/app.ts';
import { sql } from './db/sql.ts';
import { routerPath } from './http/register.ts';

const UUID = '0190a0a0-0000-7000-8000-000000000000';
const STATEMENTS = {
  unique: sql`insert into schema_migrations (version, name, checksum) values (101, 'x', 'x')`,
  check: sql`insert into admins (id, username, password_hash) values (gen_random_uuid(), 'UPPER', '$x')`,
  'bad-text': sql`select 'x'::uuid`,
  syntax: sql`selec 1`,
};

describe.each(ENGINES)('the app on %s', (engine) => {
  const api = setUpApp(engine);
  let token: string;
  beforeAll(async () => {
    for (const [name, statement] of Object.entries(STATEMENTS)) {
      api.app.get(`/broken/${name}`, () => api.db.execute(statement));
    }
    api.app.get('/broken/patience', () =>
      api.db.transaction(async (tx) => {
        await tx.execute(sql`set local statement_timeout = 1`);
        await tx.execute(sql`select pg_sleep(1)`);
      }),
    );
    api.app.get('/broken/code', () => {
      throw new TypeError('internal detail');
    });
    ({ token } = await api.signIn());
  });

  const get = (url: string, headers: Record<string, string> = {}) =>
    api.app.inject({ method: 'GET', url, headers });
  const login = (payload: string, headers: Record<string, string> = {}) =>
    api.app.inject({
      method: 'POST',
      url: '/api/admin/auth/login',
      headers: { 'content-type': 'application/json', ...headers },
      payload,
    });

  describe('every call', () => {
    // Proves 6.1
    test.each(ENDPOINTS.map((endpoint) => [endpoint.name, endpoint] as const))(
      '%s exists, and requires a token unless it is public',
      async (_, endpoint) => {
        const { method } = endpoint;
        expect(api.app.hasRoute({ method, url: routerPath(endpoint.path) })).toBe(true);
        const { status } = await api.call(endpoint, { params: { id: UUID, assignmentId: UUID } });
        expect(status).toBe(endpoint.credential === 'none' ? 400 : 401);
      },
    );

    test('responds with a request id of its own', async () => {
      const { headers, error } = await api.call(authMe, { headers: { 'x-request-id': 'mine' } });
      expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers['x-request-id']).toBe(error.requestId);
    });

    test('refuses unknown and repeated parameters', async () => {
      const authorization = `Bearer ${token}`;
      const unknown = await get('/api/admin/auth/me?x=1', { authorization });
      expect(unknown.json()).toMatchObject({ code: 'invalid_input', message: 'Unknown field: x' });
      const repeated = await get('/api/admin/users?limit=1&limit=2', { authorization });
      expect(repeated.statusCode).toBe(400);
      expect(repeated.json().message).toBe('limit is given more than once');
      const nul = await get('/api/admin/posts?userFilter=a%00b', { authorization });
      expect(nul.statusCode).toBe(400);
    });
  });

  describe('a body', () => {
    test.each([
      ['{"username":', 400, 'malformed_json', 'The request body is not valid JSON'],
      ['[]', 400, 'invalid_input', 'The request is not valid'],
      ['"text"', 400, 'invalid_input', 'The request is not valid'],
      ['', 400, 'invalid_input', 'Username is required'],
      [`{"username":"${'x'.repeat(70_000)}"}`, 413, 'body_too_large', 'The request is too large'],
    ])('%.40s is refused', async (payload, status, code, message) => {
      const response = await login(payload);
      expect(response.statusCode).toBe(status);
      expect(response.json()).toMatchObject({ code, message });
    });

    test.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'text/json',
      '',
    ])('of type %j is refused', async (type) => {
      const response = await login('{"username":"a","password":"b"}', { 'content-type': type });
      expect(response.statusCode).toBe(415);
      expect(response.json().code).toBe('unsupported_media_type');
    });

    test('may say its charset', async () => {
      const type = 'application/json; charset=utf-8';
      const response = await login('{"username":"a","password":"b"}', { 'content-type': type });
      expect(response.statusCode).toBe(401);
    });

    test.each([
      ['absent', { headers: {} }],
      ['absent but announced', { headers: { 'content-type': 'application/json' } }],
      ['an empty object', { headers: { 'content-type': 'application/json' }, payload: '{}' }],
    ])('may be %s where a call has none', async (_, request) => {
      const own = await api.signIn();
      const response = await api.app.inject({
        method: 'POST',
        url: '/api/admin/auth/logout',
        ...request,
        headers: { ...request.headers, authorization: `Bearer ${own.token}` },
      });
      expect(response.json()).toEqual({ success: true });
    });
  });

  describe('an error', () => {
    test.each([
      [
        'unique',
        409,
        'conflict',
        'Something else changed at the same moment. Reload and try again',
      ],
      ['check', 400, 'invalid_input', 'The request is not valid'],
      ['bad-text', 400, 'invalid_input', 'The request is not valid'],
      ['syntax', 500, 'internal', 'Internal server error'],
      ['code', 500, 'internal', 'Internal server error'],
    ])('of kind %s reveals no internals', async (name, status, code, message) => {
      const response = await get(`/broken/${name}`);
      expect(response.statusCode).toBe(status);
      expect(response.json()).toEqual({ code, message, requestId: expect.any(String) });
      const line = api.logged.find((one) => one.includes(response.json().requestId));
      expect(line).toContain('"level":"error"');
      expect(line).toContain('stack');
    });

    test('of a statement that takes too long is a 503', async () => {
      const response = await get('/broken/patience');
      expect(response.statusCode).toBe(503);
      expect(response.headers['retry-after']).toBe('2');
      expect(response.json().code).toBe('unavailable');
    });

    test('of a database that is down is a 503 with Retry-After', async () => {
      const away = await startTestApp(engine);
      await away.context.close();
      const response = await away.call(authMe, { token });
      expect(response.status).toBe(503);
      expect(response.error.message).toBe('Service temporarily unavailable');
      expect(response.headers['retry-after']).toBe('2');
      expect((await away.app.inject('/readyz')).statusCode).toBe(503);
      expect((await away.app.inject('/healthz')).json()).toEqual({ status: 'ok' });
      await away.app.close();
    });

    test.each([
      '/api/admin/nothing',
      '/api/nothing',
      '/assets/none.js',
      '/cdn',
      '/%ff',
      '/nothing.txt',
    ])('of an unknown address (%s) echoes nothing', async (url) => {
      const response = await get(url);
      expect(response.statusCode).toBe(404);
      expect(response.headers['x-content-type-options']).toBe('nosniff');
      expect(response.json()).toEqual({
        message: 'Not found',
        code: 'not_found',
        requestId: expect.any(String),
      });
    });

    test('of an unknown method is not found', async () => {
      const response = await api.app.inject({ method: 'DELETE', url: '/api/admin/auth/me' });
      expect(response.statusCode).toBe(404);
      const options = await api.app.inject({ method: 'OPTIONS', url: '/api/admin/auth/me' });
      expect(options.statusCode).toBe(404);
    });

    test('of an overlong id is not found', async () => {
      const response = await get(`/api/admin/users/${'x'.repeat(65)}`, {
        authorization: `Bearer ${token}`,
      });
      expect(response.statusCode).toBe(404);
    });
  });

  describe('headers', () => {
    test('of data allow nothing', async () => {
      const { headers } = await get('/api/admin/auth/me');
      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
        'content-type': 'application/json; charset=utf-8',
      });
      expect(headers).not.toHaveProperty('strict-transport-security');
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    });

    test('of a page allow this server, and pictures of the network', async () => {
      const { headers } = await get('/api/docs');
      expect(headers['content-security-policy']).toContain(
        "script-src 'self'; style-src 'self'; img-src 'self' blob: https://cdn.bsky.app;",
      );
      expect(headers['content-security-policy']).toContain("trusted-types 'none'");
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    });
  });

  test('logs the pattern of a route, never its address or a secret', async () => {
    const id = '0190a0a0-1111-7000-8000-000000000000';
    await get(`/api/admin/users/${id}`, { authorization: `Bearer ${token}` });
    await api.call(authLogin, { body: { username: 'who', password: 'my secret password' } });
    await api.call(authPassword, {
      token,
      body: { currentPassword: 'my secret password', newPassword: 'another secret password' },
    });
    const log = api.logged.join('');
    expect(log).toContain('"route":"/api/admin/users/:id"');
    for (const secret of [token, id, 'secret password']) expect(log).not.toContain(secret);
  });
});

/** What is served besides the calls of the contract. */
const OTHERS = [
  'GET /api/admin/openapi.json',
  'GET /api/docs',
  'GET /api/docs.css',
  'GET /api/me/sign-in/continue',
  'GET /api/openapi.json',
  'GET /healthz',
  'GET /metrics',
  'GET /oauth/callback',
  'GET /readyz',
];
/** The local network, with NETWORK=local only. */
const LOCAL_NETWORK = [
  'GET /local-network',
  'GET /local-network/',
  'GET /local-network/consent',
  'GET /local-network/profile/:did',
  'GET /local-network/profile/:did/blob/:cid',
  'GET /local-network/profile/:did/post/:rkey',
  'GET /local-network/timeline.css',
  'GET /local-network/timeline.js',
  'POST /local-network/consent',
];
const CATCH_ALL = /^(GET|HEAD) (\*|\/\*|\/cdn\/\*)$/;
const METHODS =
  'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT PROPFIND MKCOL LOCK SEARCH PURGE'.split(
    ' ',
  );

/** `├── /users (GET)` with its branches, as `GET /users`. */
function listed(tree: string): string[] {
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods] =
      /^([│ ]*)[├└]── (\S+)(?: \((.+)\))?$/.exec(line) ?? [];
    const depth = indent.length / 4;
    const path = (depth === 0 ? '' : (above[depth - 1] ?? '')) + part;
    above[depth] = path;
    return methods?.split(', ').map((method) => `${method} ${path}`) ?? [];
  });
}

/** `/tickets/issue` is an address of `/tickets/{id}` too. */
function methodsAt(url: string): Set<string> {
  const matching = ENDPOINTS.filter(({ path }) =>
    new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(url),
  );
  return new Set(matching.map(({ method }) => method));
}

describe('the routes', () => {
  const api = setUpApp('embedded', { env: { NETWORK: 'off' } });
  let authorization: string;
  beforeAll(async () => {
    authorization = `Bearer ${(await api.signIn()).token}`;
  });

  test('are the calls of the contract and a few public ones', () => {
    const found = listed(api.app.printRoutes({ commonPrefix: false }));
    const calls = [...ENDPOINTS, ...ME_ENDPOINTS].map(
      ({ method, path }) => `${method} ${routerPath(path)}`,
    );
    const expected = [...calls, ...OTHERS].toSorted();
    expect(found.filter((route) => !CATCH_ALL.test(route)).toSorted()).toEqual(expected);
  });

  test('include the local network where posts are published to it', async () => {
    const local = await startTestApp('embedded', { env: { NETWORK: 'local' } });
    const found = listed(local.app.printRoutes({ commonPrefix: false }));
    await local.close();
    const served = found.filter((route) => route.includes(' /local-network'));
    expect(served.toSorted()).toEqual(LOCAL_NETWORK);
  });

  test.each([...new Set(ENDPOINTS.map(({ path }) => path))])(
    '%s accepts no other method',
    async (path) => {
      const url = path.replaceAll(/\{\w+\}/g, '0190a0a0-0000-7000-8000-000000000000');
      const own = methodsAt(url);
      const others = METHODS.filter((method) => !own.has(method));
      for (const method of others) {
        const anonymous = await api.app.inject({ method, url });
        const signedIn = await api.app.inject({ method, url, headers: { authorization } });
        expect([method, anonymous.statusCode, signedIn.statusCode]).toEqual([method, 404, 404]);
      }
    },
  );
});

describe.each(ENGINES)('/readyz on %s', (engine) => {
  let t: TestApp;
  beforeEach(async () => void (t = await startTestApp(engine)));
  afterEach(() => t.close());

  const readyz = async () => {
    const { statusCode, body } = await t.app.inject('/readyz');
    return [statusCode, JSON.parse(body)];
  };

  test('is ok when the database has the schema and accepts writes', async () => {
    expect(await readyz()).toEqual([200, { status: 'ok' }]);
  });

  test('reports a read-only database', async () => {
    await t.db.execute(sql`
      do $$ begin
        execute format('alter database %I set default_transaction_read_only = on', current_database());
      end $$`);
    expect(await readyz()).toEqual([503, { status: 'unavailable', reason: 'read_only' }]);
    expect(t.logged.filter((line) => line.includes('"Not ready"'))).toEqual([
      expect.stringContaining('"reason":"read_only"'),
    ]);
  });

  test('reports a schema of another version', async () => {
    await t.db.execute(sql`delete from schema_migrations`);
    expect(await readyz()).toEqual([503, { status: 'unavailable', reason: 'schema' }]);
  });
});
