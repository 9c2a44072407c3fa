import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from '../features/pictures/testing/certificate.ts';
import { DATA_HEADERS } from '../http/guards.ts';

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

  test("has no people's page and no calls of people in front of it", async () => {
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
