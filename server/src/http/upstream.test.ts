import type { FastifyInstance } from 'fastify';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { EITHER, startTestApp } from '../../test/app.ts';
import type { SignedIn, TestApp } from '../../test/app.ts';
import { buildApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { sql } from '../db/sql.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from '../features/pictures/testing/certificate.ts';
import { DATA_HEADERS } from './guards.ts';
import { FRAMING_ATTACKS } from './testing/framing-attacks.ts';
import { startRawProxy } from './testing/raw-proxy.ts';
import type { RawProxy } from './testing/raw-proxy.ts';
import { repeatCredential } from './testing/raw-service.ts';
import type { RawRequest, RawService } from './testing/raw-service.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

describe('the API of another service', () => {
  let service: Server;
  let answerWith: Handler;
  let app: FastifyInstance;

  async function appInFront(env: Record<string, string> = {}): Promise<FastifyInstance> {
    // A TCP server has a port.
    const { port } = service.address() as AddressInfo;
    const config = readConfig({ UPSTREAM_API: `http://127.0.0.1:${port}/base/`, ...env });
    const consoleDir = pathToFileURL('/nowhere/');
    return buildApp({ config, log: pino({ level: 'silent' }), context: null, consoleDir });
  }

  beforeEach(async () => {
    service = createServer((request, response) => answerWith(request, response));
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    app = await appInFront();
  });
  afterEach(async () => {
    await app.close();
    service.closeAllConnections();
    service.close();
  });

  test("has no members' page and no calls of members in front of it", async () => {
    for (const url of ['/me', '/me/', '/me/assets/x.js', '/api/me', '/api/me/posts']) {
      const response = await app.inject({ url, headers: { accept: 'text/html' } });
      expect([url, response.statusCode]).toEqual([url, 404]);
    }
  });

  test('gets the request as it is', async () => {
    const seen = Promise.withResolvers<{ request: IncomingMessage; body: string }>();
    answerWith = (request, response) => {
      void text(request).then((body) => {
        seen.resolve({ request, body });
        response.writeHead(201, { etag: '"7"', connection: 'x-secret', 'x-secret': '1' });
        response.end('{"ok":true}');
      });
    };
    const answer = await app.inject({
      method: 'PATCH',
      url: '/api/admin/users/7?x=1&x=2',
      headers: {
        authorization: 'Bearer t',
        'content-type': 'application/anything',
        connection: 'keep-alive, x-hop',
        'x-hop': '1',
      },
      payload: 'not even JSON',
    });
    const { request, body } = await seen.promise;
    expect(request.url).toBe('/base/api/admin/users/7?x=1&x=2');
    expect(request.method).toBe('PATCH');
    expect(body).toBe('not even JSON');
    expect(request.headers).toMatchObject({
      authorization: 'Bearer t',
      'content-type': 'application/anything',
      'x-forwarded-for': '127.0.0.1',
    });
    expect(request.headers).not.toHaveProperty('x-hop');
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({ ok: true });
    expect(answer.headers['etag']).toBe('"7"');
    expect(answer.headers).not.toHaveProperty('x-secret');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });

  test.each([
    ['dots', '/api/admin/../../internal'],
    ['dots in disguise', '/api/admin/%2e%2E/%2e./internal'],
    ['dots that end outside', '/api/admin/users/../..'],
    ['dots and an encoded slash', '/api/admin/..%2f..%2finternal'],
    ['dots and an encoded backslash', '/api/admin/..%5c..%5cinternal'],
    ['dots and a backslash', '/api/admin/..\\..\\internal'],
    ['dots with parameters', '/api/admin/..;/..;x=1/internal'],
    ['encoded parameters', '/api/admin/..%3b/internal'],
    ['dots encoded twice', '/api/admin/%252e%252e/internal'],
    ['a slash encoded twice', '/api/admin/..%252f..%252finternal'],
    ['a slash inside a segment', '/api/admin/users%2f..%2f..%2finternal'],
    ['an encoded end of line', '/api/admin/users%0d%0aHost:%20internal'],
    ['an empty segment', '/api/admin//internal'],
    ['a fragment', '/api/admin/users#/../internal'],
    ['another host', 'http://elsewhere.example/api/admin/users'],
  ])('is left by no way: %s', async (_, url) => {
    const asked: (string | undefined)[] = [];
    answerWith = (request, response) => {
      asked.push(request.url);
      response.end();
    };
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    socket.end(`GET ${url} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    const answer = await text(socket);
    expect(asked).toEqual([]);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('is told nothing but the headers that the API knows', async () => {
    const seen = Promise.withResolvers<IncomingHttpHeaders>();
    answerWith = (request, response) => {
      seen.resolve(request.headers);
      response.writeHead(200, {
        'set-cookie': 'a=b',
        'content-security-policy': "default-src 'unsafe-inline'",
        'strict-transport-security': 'max-age=0',
        'access-control-allow-origin': '*',
        'clear-site-data': '"*"',
        'alt-svc': 'h3=":443"',
        'report-to': '{}',
        nel: '{}',
        link: '</x>; rel=preload',
        refresh: '0; url=/x',
        'service-worker-allowed': '/',
        etag: '"7"',
      });
      response.end('{}');
    };
    const passed = {
      accept: 'application/json',
      'accept-language': 'de',
      authorization: 'Bearer t',
      'if-match': '"6"',
      'if-none-match': '"5"',
      'idempotency-key': 'k',
      'user-agent': 'browser',
    };
    const response = await app.inject({
      method: 'DELETE',
      url: '/api/admin/posts/7',
      headers: {
        ...passed,
        cookie: 'session=1',
        forwarded: 'for=1.1.1.1',
        'x-forwarded-for': '1.1.1.1',
        'x-forwarded-host': 'internal',
        'x-forwarded-user': 'root',
        'x-real-ip': '1.1.1.1',
        'x-original-url': '/internal',
        'x-rewrite-url': '/internal',
        'x-http-method-override': 'PUT',
        'x-request-id': 'mine',
        origin: 'http://localhost',
      },
    });
    const { host, connection, ...sent } = await seen.promise;
    expect(sent).toEqual({
      ...passed,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'localhost:80',
      'x-forwarded-proto': 'http',
      'x-request-id': response.headers['x-request-id'],
    });
    expect(host).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(connection).toBe('keep-alive');
    expect(Object.keys(response.headers).toSorted()).toEqual(
      [
        ...Object.keys(DATA_HEADERS),
        'connection',
        'date',
        'etag',
        'transfer-encoding',
        'x-request-id',
      ].toSorted(),
    );
    expect(response.headers['content-security-policy']).toContain("default-src 'none'");
    expect(response.headers['etag']).toBe('"7"');
  });

  test.each([
    ['203.0.113.7:51000', '203.0.113.7'],
    ['[2001:DB8::1]:443', '2001:db8::1'],
    ['_hidden', 'unknown'],
  ])('is told the address of a client that a trusted proxy wrote as %s', async (written, told) => {
    const seen: unknown[] = [];
    answerWith = (request, response) => {
      seen.push(request.headers['x-forwarded-for']);
      response.end('{}');
    };
    const behindProxy = await appInFront({ TRUST_PROXY: '127.0.0.1' });
    await behindProxy.inject({ url: '/api/admin/stats', headers: { 'x-forwarded-for': written } });
    await behindProxy.close();
    expect(seen).toEqual([told]);
  });

  test('gets no body beyond the limit of the API', async () => {
    answerWith = (_, response) => response.end('{}');
    const payload = 'x'.repeat(65_537);
    const headers = { 'content-type': 'application/json' };
    const call = { method: 'POST', url: '/api/admin/plans', headers } as const;
    expect((await app.inject({ ...call, payload })).statusCode).toBe(413);
    expect((await app.inject({ ...call, payload: payload.slice(1) })).statusCode).toBe(200);
  });

  test('keeps no slot for clients that went away', async () => {
    const held: ServerResponse[] = [];
    answerWith = (_, response) => void held.push(response);
    const address = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    const MORE_THAN_ALL_SLOTS = 130;
    for (let n = 1; n <= MORE_THAN_ALL_SLOTS; n += 1) {
      const socket = connect(Number(address.port), '127.0.0.1');
      socket.write('GET /api/admin/stats HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await expect.poll(() => held.length).toBe(n);
      const seen = held.at(-1);
      const ended = new Promise((resolve) => seen?.once('close', resolve));
      socket.destroy();
      // The service learns of it too, and need not finish the work.
      await ended;
    }
    answerWith = (_, response) => response.end('{}');
    const all = Array.from({ length: 64 }, () => app.inject('/api/admin/stats'));
    const statuses = (await Promise.all(all)).map(({ statusCode }) => statusCode);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test.each(['destroy', 'resetAndDestroy'] as const)(
    'may close an idle connection without a failed read: %s',
    async (end) => {
      let asked = 0;
      answerWith = (request, response) => {
        asked += 1;
        // Gone in the moment in which the next request is on its way.
        if (asked === 2) request.socket[end]();
        else response.end('{}');
      };
      expect((await app.inject('/api/admin/stats')).statusCode).toBe(200);
      expect((await app.inject('/api/admin/stats')).statusCode).toBe(200);
      expect(asked).toBe(3);
    },
  );

  test('has its refusals and its compression passed on untouched', async () => {
    const packed = gzipSync('{"message":"no"}');
    answerWith = (_, response) => {
      response.writeHead(409, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(packed);
    };
    const answer = await app.inject({ url: '/api/admin/users' });
    expect(answer.statusCode).toBe(409);
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(answer.rawPayload.equals(packed)).toBe(true);
  });

  test('that does not respond is a 502 of the catalogue', async () => {
    answerWith = (request) => request.socket.destroy();
    const answer = await app.inject({ method: 'POST', url: '/api/admin/auth/login', payload: {} });
    expect(answer.statusCode).toBe(502);
    expect(answer.json()).toMatchObject({
      code: 'upstream_failed',
      message: 'The service behind the console did not answer',
    });
  });

  test('is not spoken to when its certificate cannot be verified', async () => {
    let asked = 0;
    const impostor = createTlsServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (_, response) => {
      asked += 1;
      response.end('{}');
    });
    await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
    // A TCP server has a port.
    const { port } = impostor.address() as AddressInfo;
    const inFront = await appInFront({ UPSTREAM_API: `https://127.0.0.1:${port}` });
    const response = await inFront.inject({
      url: '/api/admin/stats',
      headers: { authorization: 'Bearer secret' },
    });
    await inFront.close();
    impostor.close();
    expect(response.statusCode).toBe(502);
    expect(asked).toBe(0);
  });

  test('needs no database to be ready', async () => {
    expect((await app.inject('/readyz')).json()).toEqual({ status: 'ok' });
  });
});

const headerNames = ({ head }: RawRequest) =>
  head
    .split('\r\n')
    .slice(1)
    .map((header) => header.slice(0, header.indexOf(':')).toLowerCase());

const tokenOf = ({ head }: RawRequest) => /\r\nauthorization: Bearer (\S+)/.exec(head)?.[1];

const requestLine = ({ head }: RawRequest) => head.split('\r\n', 1)[0];

describe('the framing of a request that is passed on', () => {
  const BYSTANDER = 'GET /base/api/admin/auth/me HTTP/1.1';
  /** All that may ever be sent to the service behind. */
  const ALLOWED_HEADERS = new Set([
    'accept',
    'authorization',
    'connection',
    'content-length',
    'content-type',
    'host',
    'user-agent',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-request-id',
  ]);

  let proxy: RawProxy;
  let service: RawService;
  beforeEach(async () => {
    proxy = await startRawProxy();
    ({ service } = proxy);
  });
  afterEach(() => proxy.close());

  describe('a request upstream is framed by its length alone', () => {
    test('in at least sixty ways to say otherwise', () => {
      expect(FRAMING_ATTACKS.length).toBeGreaterThanOrEqual(60);
      expect(new Set(FRAMING_ATTACKS.map(({ name }) => name)).size).toBe(FRAMING_ATTACKS.length);
    });

    test.each(FRAMING_ATTACKS)('$name', async ({ bytes, passes }) => {
      expect(await proxy.bystander('first')).toContain('{"credential":"Bearer first"}');
      const attacker = proxy.client(bytes);
      const expected = passes.map((line) => line.replace(' /', ' /base/'));
      await expect
        .poll(() => service.requests.filter((sent) => tokenOf(sent) === 'attacker').length)
        .toBe(passes.length);
      expect(await proxy.bystander('second')).toContain('{"credential":"Bearer second"}');
      expect(await proxy.bystander('third')).toContain('{"credential":"Bearer third"}');

      const lines = service.requests.map(requestLine);
      const byAttacker = service.requests.filter((sent) => tokenOf(sent) === 'attacker');
      expect(byAttacker.map(requestLine)).toHaveLength(expected.length);
      expect(byAttacker.map(requestLine)).toEqual(expect.arrayContaining(expected));
      expect(lines.filter((line) => line === BYSTANDER).length).toBeGreaterThanOrEqual(3);
      expect(lines.filter((line) => !line?.includes(' /base/api/admin/'))).toEqual([]);
      expect(service.leftovers()).toEqual([]);
      for (const sent of service.requests) {
        const names = headerNames(sent);
        expect(names.filter((name) => !ALLOWED_HEADERS.has(name))).toEqual([]);
        expect(new Set(names).size).toBe(names.length);
      }
      expect(attacker.received()).not.toMatch(/Bearer (first|second|third)/);
    });
  });
});

const HOUR_MS = 60 * 60 * 1000;
const MORE_THAN_ALL_SLOTS = 70;

async function read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const { value } = await reader.read();
  return Buffer.from(value ?? []).toString();
}

describe('a response of the service behind that takes long', () => {
  let service: Server;
  let app: FastifyInstance;
  let url: string;
  const begun: ServerResponse[] = [];
  const held: ServerResponse[] = [];

  /** Every call but those to `stats` begins a response; those never get one. */
  function respond({ url: path = '' }: IncomingMessage, response: ServerResponse): void {
    if (path.endsWith('/stats')) return void held.push(response);
    begun.push(response);
    const headers = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
    response.writeHead(200, headers);
    response.write('first');
  }

  beforeEach(async () => {
    begun.length = 0;
    held.length = 0;
    service = createServer(respond);
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    // A TCP server has a port.
    const { port } = service.address() as AddressInfo;
    app = await buildApp({
      config: readConfig({ UPSTREAM_API: `http://127.0.0.1:${port}` }),
      log: pino({ level: 'silent' }),
      context: null,
      consoleDir: pathToFileURL('/nowhere/'),
    });
    url = await app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    service.closeAllConnections();
    service.close();
    await app.close();
  });

  async function open(): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const { body } = await fetch(`${url}/api/admin/events`);
    return (body ?? new ReadableStream<Uint8Array>()).getReader();
  }

  test('is not cut once it has begun, while a call without a response is refused', async () => {
    const reader = await open();
    expect(await read(reader)).toBe('first');
    const unanswered = fetch(`${url}/api/admin/stats`);
    await expect.poll(() => held.length).toBe(1);
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + HOUR_MS);
    expect((await unanswered).status).toBe(503);
    begun[0]?.end('last');
    expect(await read(reader)).toBe('last');
  });

  test('is not collected by a proxy, and ends when the server stops', async () => {
    const { headers, body } = await fetch(`${url}/api/admin/events`);
    expect(headers.get('x-accel-buffering')).toBe('no');
    const reader = (body ?? new ReadableStream<Uint8Array>()).getReader();
    expect(await read(reader)).toBe('first');
    await Promise.all([expect(reader.read()).rejects.toThrow('terminated'), app.close()]);
  });

  test('takes no connection from others', async () => {
    const readers = [];
    for (let n = 1; n <= MORE_THAN_ALL_SLOTS; n += 1) {
      const reader = await open();
      readers.push(reader);
      expect(await read(reader)).toBe('first');
    }
    await Promise.all(readers.map((reader) => reader.cancel()));
  });
});

const request = (method: string, body = '') =>
  [
    `${method} /api/admin/users/7 HTTP/1.1`,
    'Host: localhost',
    'Authorization: Bearer first',
    'Connection: close',
    ...(body === '' ? [] : [`Content-Length: ${body.length}`]),
    '',
    body,
  ].join('\r\n');

describe('the responses that are passed back', () => {
  /** An unsolicited response, waiting for the next request on the connection. */
  const POISON = 'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\npoisoned';

  /** What the service behind writes for the first client, and what may come of it there. */
  const RESPONSES: { name: string; bytes: string; method?: string; outcome: RegExp }[] = [
    {
      name: 'a second response',
      bytes: `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok${POISON}`,
      outcome: /^HTTP\/1\.1 200 .*ok$/s,
    },
    {
      name: 'more than its length',
      bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokpoisoned',
      outcome: /^HTTP\/1\.1 200 .*ok$/s,
    },
    {
      name: 'a body for HEAD',
      method: 'HEAD',
      bytes: POISON,
      outcome: /^HTTP\/1\.1 200 .*\r\n\r\n$/s,
    },
    {
      name: 'a body for 204',
      bytes: 'HTTP/1.1 204 No Content\r\nContent-Length: 8\r\n\r\npoisoned',
      outcome: /^HTTP\/1\.1 204 (?!.*poisoned)/s,
    },
    {
      name: 'a body for 304',
      bytes: 'HTTP/1.1 304 Not Modified\r\n\r\npoisoned',
      outcome: /^HTTP\/1\.1 304 (?!.*poisoned)/s,
    },
    {
      name: 'early hints',
      bytes:
        'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
      outcome: /^HTTP\/1\.1 200 .*ok$/s,
    },
    {
      name: 'a permission to go on that was not asked for',
      bytes: `HTTP/1.1 100 Continue\r\n\r\n${POISON}`,
      outcome: /^HTTP\/1\.1 502 /,
    },
    {
      name: 'an upgrade that was not asked for',
      bytes: `HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n${POISON}`,
      outcome: /^HTTP\/1\.1 502 /,
    },
    {
      name: 'a length and chunks',
      bytes:
        'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
      outcome: /^HTTP\/1\.1 (?:502|200) (?!.*poisoned)/s,
    },
    {
      name: 'two lengths',
      bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 10\r\n\r\nokpoisoned',
      outcome: /^HTTP\/1\.1 502 /,
    },
    {
      name: 'a status that is none',
      bytes: 'HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\nok',
      outcome: /^HTTP\/1\.1 502 /,
    },
    { name: 'no HTTP at all', bytes: 'SSH-2.0-service\r\n', outcome: /^HTTP\/1\.1 502 / },
  ];

  let proxy: RawProxy;
  beforeEach(async () => {
    proxy = await startRawProxy();
  });
  afterEach(() => proxy.close());

  describe('the responses of one client', () => {
    test('is never seen by another on the same upstream connection', async () => {
      for (let round = 0; round < 20; round += 1) {
        const token = `person-${round}`;
        expect(await proxy.bystander(token)).toContain(`{"credential":"Bearer ${token}"}`);
      }
      const connections = proxy.service.requests.map(({ connection }) => connection);
      expect(new Set(connections)).toEqual(new Set([1]));
    });

    test.each(RESPONSES)('holds nothing back for the next: $name', async (attack) => {
      const { service } = proxy;
      expect(await proxy.bystander('before')).toContain('Bearer before');
      service.respond = (_, socket) => void socket.write(attack.bytes);
      const first = proxy.client(request(attack.method ?? 'GET'));
      await first.until(/(?!)/);
      service.respond = repeatCredential;
      for (const token of ['second', 'third']) {
        const seen = await proxy.bystander(token);
        expect(seen).toContain(`{"credential":"Bearer ${token}"}`);
        expect(seen).not.toContain('poisoned');
      }
      expect(first.received()).toMatch(attack.outcome);
    });

    test('before its body was read leaves nothing of the body to the next', async () => {
      const { service } = proxy;
      service.respondEarly = (head, socket) => repeatCredential({ head }, socket);
      const body = 'GET /internal HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1500);
      const first = proxy.client(request('POST', body));
      await first.until(/(?!)/);
      expect(await proxy.bystander('second')).toContain('{"credential":"Bearer second"}');
      expect(first.received()).toContain('{"credential":"Bearer first"}');
      const outside = service.requests.filter(({ head }) => !head.includes(' /base/api/admin/'));
      expect(outside).toEqual([]);
    });

    test('never looks complete when the service broke off', async () => {
      proxy.service.respond = (_, socket) =>
        void socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n');
      const first = proxy.client(request('GET'));
      await first.until(/(?!)/);
      expect(first.received()).toContain('half');
      expect(first.received()).not.toContain('\r\n0\r\n\r\n');
    });
  });
});

/** The same bytes that took over a session when the proxy was made by hand. */
const LOGIN_WITHOUT_END =
  'POST /api/admin/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"username":"';

const head = (line: string, ...headers: string[]) =>
  [line, 'Host: localhost', ...headers, '', ''].join('\r\n');

describe('a Meridian in front of another Meridian', () => {
  let behind: TestApp;
  let front: FastifyInstance;
  let port: number;
  let admin: SignedIn;
  const attackers: Socket[] = [];

  beforeAll(async () => {
    behind = await startTestApp('embedded');
    admin = await behind.signIn('grace');
    const address = await behind.app.listen({ host: '127.0.0.1', port: 0 });
    front = await buildApp({
      config: readConfig({ UPSTREAM_API: address }),
      log: pino({ level: 'silent' }),
      context: null,
      consoleDir: pathToFileURL('/nowhere/'),
    });
    port = Number(new URL(await front.listen({ host: '127.0.0.1', port: 0 })).port);
  });
  afterAll(async () => {
    for (const socket of attackers) socket.destroy();
    await front.close();
    await behind.close();
  });

  async function exchange(bytes: string): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    socket.write(bytes);
    return text(socket);
  }

  const login = () => {
    const { username, password } = admin;
    const body = JSON.stringify({ username, password });
    const headers = [
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ];
    return exchange(head('POST /api/admin/auth/login HTTP/1.1', ...headers) + body);
  };

  test.each([
    ['GET', head('GET /api/admin/auth/me HTTP/1.1', 'Content-Length: 700')],
    ['HEAD', head('HEAD /api/admin/auth/me HTTP/1.1', 'Content-Length: 700')],
    [
      'a DELETE in chunks',
      head('DELETE /api/admin/posts/7 HTTP/1.1', 'Transfer-Encoding: chunked') +
        `${LOGIN_WITHOUT_END.length.toString(16)}\r\n${LOGIN_WITHOUT_END}\r\n0\r\n\r\n`,
    ],
    [
      'a GET that carries a request',
      head('GET /api/admin/auth/me HTTP/1.1', `Content-Length: ${LOGIN_WITHOUT_END.length}`) +
        LOGIN_WITHOUT_END,
    ],
  ])('keeps the token of a login from the client that sent %s', async (_, bytes) => {
    const attacker = connect(port, '127.0.0.1').setEncoding('latin1');
    attackers.push(attacker);
    let stolen = '';
    attacker.on('data', (piece: string) => {
      stolen += piece;
    });
    // Writing to a connection that was closed on the attacker is part of the attack.
    attacker.on('error', () => {});
    const refused = new Promise((resolve) => attacker.once('data', resolve));
    const closed = new Promise((resolve) => attacker.once('close', resolve));
    attacker.write(bytes);
    await refused;
    for (let round = 0; round < 3; round += 1) {
      const response = await login();
      expect(response).toMatch(/^HTTP\/1\.1 200 /);
      expect(response).toMatch(/"token":"adm_/);
    }
    // Asked again on the same connection, it gets its own refusal and nothing else.
    attacker.write(head('GET /api/admin/auth/me HTTP/1.1', 'Connection: close'));
    await closed;
    expect(stolen).not.toContain('adm_');
    expect(stolen.match(/HTTP\/1\.1 \d+/g)?.every((line) => /40[01]/.test(line))).toBe(true);
  });
});

/** The counters of one name from one network: network, pair, in a row, unknown networks. */
const COUNTERS_OF_ONE = 4;

type Line = { level: string; msg: string; network?: string; peer?: string; header?: string };

const allFrom = (network: string) => ({
  statuses: [401],
  logged: [network],
  audited: [network],
  counters: COUNTERS_OF_ONE,
});

describe.each(EITHER)('forwarding headers on a real socket, on %s', (engine) => {
  let api: TestApp;
  let port: number;
  let username: string;
  afterEach(() => api.close());

  async function listen(env: Record<string, string> = {}): Promise<void> {
    api = await startTestApp(engine, { env: { LOGIN_FAILURES: '1000', ...env } });
    ({ username } = await api.signIn());
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    // A TCP server has a port.
    ({ port } = api.app.server.address() as AddressInfo);
  }

  /** The status of a login with these header lines, as the bytes a proxy would write. */
  async function login(headerLines: readonly string[]): Promise<number> {
    const body = JSON.stringify({ username, password: 'a wrong password' });
    const socket = connect(port, '127.0.0.1');
    const head = [
      'POST /api/admin/auth/login HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
      ...headerLines,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    const response = await text(socket);
    return Number(response.slice('HTTP/1.1 '.length).split(' ')[0]);
  }

  // Each line is one JSON object of our own log.
  const lines = () => api.logged.map((line) => JSON.parse(line) as Line);
  const warnings = () => lines().filter(({ level }) => level === 'warn');
  const loggedNetworks = () =>
    lines().flatMap(({ msg, network }) => (msg === 'Request' ? [network] : []));
  const auditedNetworks = async () => {
    const rows = await api.db.many<{ network: string }>(sql`select network from audit_log`);
    return rows.map(({ network }) => network);
  };
  const counters = async () =>
    (await api.db.one<{ n: number }>(sql`select count(*)::int as n from attempt_buckets`)).n;

  /** What becomes of logins with one of these header lines each. */
  async function loginsWith(headerLines: readonly string[]) {
    const statuses = new Set<number>();
    for (const line of headerLines) statuses.add(await login([line]));
    // A request is logged after its response.
    await expect.poll(() => loggedNetworks().length).toBe(headerLines.length);
    return {
      statuses: [...statuses],
      logged: [...new Set(loggedNetworks())],
      audited: [...new Set(await auditedNetworks())],
      counters: await counters(),
    };
  }

  test('of a peer that is not trusted change nothing, and are warned of once', async () => {
    await listen();
    expect(await login([])).toBe(401);
    expect(warnings()).toEqual([]);
    const claims = ['X-Forwarded-For: 203.0.113.1', 'X-Real-IP: 203.0.113.2', 'Forwarded: for=x'];
    for (const claim of claims) expect(await login([claim])).toBe(401);
    await expect.poll(loggedNetworks).toEqual(Array.from({ length: 4 }, () => '127.0.0.1'));
    expect(await counters()).toBe(COUNTERS_OF_ONE);
    expect(warnings()).toMatchObject([{ peer: '127.0.0.1', header: 'x-forwarded-for' }]);
    expect(warnings()[0]?.msg).toContain('add its address to TRUST_PROXY');
  });

  test.each([
    ['Forwarded: for=203.0.113.1'],
    ['X-Real-IP: 203.0.113.1'],
    ['X-Forwarded-Proto: https'],
    ['CF-Connecting-IP: 203.0.113.1'],
  ])('are warned of when TRUST_PROXY names another proxy: %s', async (claim) => {
    await listen({ TRUST_PROXY: '10.0.0.1' });
    expect(await login([claim])).toBe(401);
    expect(await login([claim])).toBe(401);
    expect(warnings()).toHaveLength(1);
  });

  test('of a trusted proxy name one client by one network, whatever port or spelling', async () => {
    await listen({ TRUST_PROXY: '127.0.0.1' });
    const outcome = await loginsWith([
      'X-Forwarded-For: 203.0.113.7',
      'X-Forwarded-For: 203.0.113.7:1024',
      'X-Forwarded-For: 203.0.113.7:1025',
      'X-Forwarded-For: [::ffff:203.0.113.7]:1026',
      'X-Forwarded-For: ::FFFF:cb00:7107',
      // What the client claims itself, and a trusted proxy that is named with its port.
      'X-Forwarded-For: 198.51.100.9, 203.0.113.7:1027',
      'X-Forwarded-For: 203.0.113.7, 127.0.0.1:8443',
    ]);
    expect(outcome).toEqual(allFrom('203.0.113.7'));
    expect(warnings()).toEqual([]);
  });

  test('of a trusted proxy may bring an IPv6 address in brackets', async () => {
    await listen({ TRUST_PROXY: '127.0.0.1' });
    const outcome = await loginsWith([
      'X-Forwarded-For: 2001:db8:1:2::1',
      'X-Forwarded-For: [2001:DB8:1:2::1]:443',
      'X-Forwarded-For: [2001:0db8:0001:0002:0:0:0:2]',
    ]);
    expect(outcome).toEqual(allFrom('2001:db8:1:2::/64'));
  });

  test('that hold no address make one network, not one per text', async () => {
    await listen({ TRUST_PROXY: '127.0.0.1' });
    const outcome = await loginsWith([
      'X-Forwarded-For: unknown',
      'X-Forwarded-For: _hidden',
      'X-Forwarded-For: 203.0.113.7:port',
      'X-Forwarded-For: 12345',
      `X-Forwarded-For: ${'x'.repeat(4_000)}`,
    ]);
    expect(outcome).toEqual(allFrom('unknown'));
  });

  test('that are empty leave the address of the proxy', async () => {
    await listen({ TRUST_PROXY: '127.0.0.1' });
    const outcome = await loginsWith(['X-Forwarded-For:', 'X-Forwarded-For: ,']);
    expect(outcome).toEqual(allFrom('127.0.0.1'));
  });
});
