import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { ERRORS } from '@meridian/contract/errors';
import { pictureLoad } from '@meridian/contract/pictures';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EITHER, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { buildApp } from '../../app.ts';
import { readConfig } from '../../config.ts';
import { PNG, sendPng, startPictureHost } from './testing/picture-host.ts';
import type { PictureHost } from './testing/picture-host.ts';

const URL_OF = 'https://pictures.example.test/a.png';
const HEADERS = {
  'content-type': 'image/png',
  'content-length': String(PNG.length),
  'content-disposition': 'attachment',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};
const request = (app: FastifyInstance, headers: Record<string, string> = {}, url = URL_OF) =>
  app.inject({ method: 'GET', url: pictureLoad.path, query: { url }, headers });

let host: PictureHost;
beforeAll(async () => {
  host = await startPictureHost();
});
beforeEach(() => {
  host.answerWith(sendPng);
  host.requests.length = 0;
});
afterAll(() => host.close());

describe.each(EITHER)('a picture of another host, on %s', (engine) => {
  let api: TestApp;
  let token: string;
  beforeAll(async () => {
    api = await startTestApp(engine, { pictures: { network: host.network(), perMinute: 0 } });
    ({ token } = await api.signIn());
  });
  afterAll(() => api.close());

  test('comes with its bytes and headers that let nothing else be made of it', async () => {
    const answer = await request(api.app, { authorization: `Bearer ${token}`, cookie: 'a=b' });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject(HEADERS);
    expect(answer.rawPayload.equals(PNG)).toBe(true);
    expect(Object.keys(host.requests[0]?.headers ?? {}).toSorted()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
  });

  test('is for administrators alone, also as the source of an image', async () => {
    const answer = await request(api.app, { cookie: `admin_token=${token}` });
    expect(answer.statusCode).toBe(401);
    expect((await api.call(pictureLoad, { query: { url: URL_OF } })).error.code).toBe(
      'unauthenticated',
    );
    expect(host.requests).toEqual([]);
  });

  test.each([
    ['no address', {}, 'url is required'],
    ['an empty address', { url: '' }, 'url is required'],
    ['an endless address', { url: `https://a.example/${'x'.repeat(2048)}` }, /at most 2048/],
    ['another field', { url: URL_OF, referrer: 'x' }, 'Unknown field: referrer'],
  ])('is refused with %s', async (_, query, message) => {
    const { status, error } = await api.call(pictureLoad, { token, query });
    expect([status, error.code]).toEqual([400, 'invalid_input']);
    expect(error.message).toMatch(message);
    expect(host.requests).toEqual([]);
  });

  test.each([
    ['picture_address_invalid', 'ftp://pictures.example.test/a.png'],
    ['picture_address_private', 'https://169.254.169.254/latest/meta-data/'],
    ['picture_unreachable', 'https://nowhere.example/a.png'],
  ] as const)('says %s', async (code, url) => {
    const { status, error } = await api.call(pictureLoad, { token, query: { url } });
    expect([status, error.message]).toEqual([422, ERRORS[code].message]);
    expect(host.requests).toEqual([]);
  });

  test('leaves neither its address nor an error in the log', async () => {
    host.answerWith((_, response) => void response.writeHead(500).end());
    await request(api.app, { authorization: `Bearer ${token}` });
    const log = api.logged.join('');
    expect(log).toContain(`"route":"${pictureLoad.path}"`);
    expect(log).not.toContain('pictures.example.test');
    expect(log).not.toContain('"level":"error"');
  });

  test('is loaded only so often in a minute, per session', async () => {
    const strict = await startTestApp(engine, {
      pictures: { network: host.network(), perMinute: 2 },
    });
    const [one, other] = [await strict.signIn(), await strict.signIn()];
    const statusOf = async (session: string) =>
      (await request(strict.app, { authorization: `Bearer ${session}` })).statusCode;
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push(await statusOf(one.token));
    expect(statuses).toEqual([200, 200, 429]);
    expect(await statusOf(other.token)).toBe(200);
    await strict.close();
  });
});

describe('in front of another service', () => {
  let service: Server;
  let asked: IncomingMessage[];
  let status: number;
  let app: FastifyInstance;
  beforeEach(async () => {
    [asked, status] = [[], 200];
    service = createServer((incoming, response) => {
      asked.push(incoming);
      response.writeHead(status, { location: '/elsewhere' }).end('{"username":"ana"}');
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const { port } = service.address() as AddressInfo; // listening on TCP, so never a string
    app = await buildApp({
      config: readConfig({ UPSTREAM_API: `http://127.0.0.1:${port}/base/` }),
      log: pino({ level: 'silent' }),
      context: null,
      consoleDir: pathToFileURL('/nowhere/'),
      pictures: { network: host.network() },
    });
  });
  afterEach(async () => {
    await app.close();
    service.closeAllConnections();
    service.close();
  });

  test('a token passes that the service knows', async () => {
    const answer = await request(app, { authorization: 'Bearer of-another-form', cookie: 'a=b' });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject(HEADERS);
    expect(answer.rawPayload.equals(PNG)).toBe(true);
    expect(asked.map(({ method, url }) => [method, url])).toEqual([
      ['GET', '/base/api/admin/auth/me'],
    ]);
    expect(asked[0]?.headers.authorization).toBe('Bearer of-another-form');
    expect(asked[0]?.headers).not.toHaveProperty('cookie');
  });

  test.each([
    [401, 401, 'session_ended'],
    [403, 502, 'upstream_failed'],
    [204, 502, 'upstream_failed'],
    [302, 502, 'upstream_failed'],
    [500, 502, 'upstream_failed'],
  ])('nothing is loaded when it answers %i', async (theirs, ours, code) => {
    status = theirs;
    const answer = await request(app, { authorization: 'Bearer x' });
    expect([answer.statusCode, answer.json().code]).toEqual([ours, code]);
    expect(asked).toHaveLength(1);
    expect(host.requests).toEqual([]);
  });

  test('nor when it does not answer', async () => {
    service.closeAllConnections();
    service.close();
    const answer = await request(app, { authorization: 'Bearer x' });
    expect([answer.statusCode, answer.json().code]).toEqual([502, 'upstream_failed']);
    expect(host.requests).toEqual([]);
  });

  test.each([
    ['no token', {}],
    ['two tokens', { authorization: 'Bearer a b' }],
  ])('with %s it is not even asked', async (_, headers) => {
    expect((await request(app, headers)).statusCode).toBe(401);
    expect(asked).toEqual([]);
  });
});
