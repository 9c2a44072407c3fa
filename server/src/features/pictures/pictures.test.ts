import { ERRORS } from '@meridian/contract/errors';
import { pictureLoad } from '@meridian/contract/pictures';
import type { FastifyInstance } from 'fastify';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EITHER, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { buildApp } from '../../app.ts';
import { readConfig } from '../../config.ts';
import { pictureTypeOf } from './picture-type.ts';
import { createPicturesService } from './pictures.ts';
import type { PicturesOptions } from './pictures.ts';
import { PNG, resolver, sendPng, startPictureHost } from './testing/picture-host.ts';
import type { PictureHost } from './testing/picture-host.ts';

const PICTURE = 'https://pictures.example.test/a.png';

let host: PictureHost;
beforeAll(async () => {
  host = await startPictureHost();
});
beforeEach(() => {
  host.answerWith(sendPng);
  host.requests.length = 0;
});
afterAll(() => host.close());

const HEADERS = {
  'content-type': 'image/png',
  'content-length': String(PNG.length),
  'content-disposition': 'attachment',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};
const request = (app: FastifyInstance, headers: Record<string, string> = {}, url = PICTURE) =>
  app.inject({ method: 'GET', url: pictureLoad.path, query: { url }, headers });

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
    expect((await api.call(pictureLoad, { query: { url: PICTURE } })).error.code).toBe(
      'unauthenticated',
    );
    expect(host.requests).toEqual([]);
  });

  test.each([
    ['no address', {}, 'url is required'],
    ['an empty address', { url: '' }, 'url is required'],
    ['an endless address', { url: `https://a.example/${'x'.repeat(2048)}` }, /at most 2048/],
    ['another field', { url: PICTURE, referrer: 'x' }, 'Unknown field: referrer'],
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

describe('a picture in front of another service', () => {
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

const refusal = (code: string) => expect.objectContaining({ name: 'AppError', code });

const words = (text: string): string[] => text.trim().split(/\s+/);

const MEGABYTE = Buffer.alloc(1024 * 1024, 'x');
const waiting = new AbortController().signal;

const load = (address: string, options: PicturesOptions = { network: host.network() }) =>
  createPicturesService(options).load(address, waiting);
const redirectTo = (...locations: string[]) => {
  const left = [...locations];
  host.answerWith((request, response) => {
    const location = left.shift();
    if (location === undefined) sendPng(request, response);
    else response.writeHead(302, { location }).end('moved');
  });
};

describe('a picture that is fetched', () => {
  describe('what the other host sees', () => {
    test('is a plain request that tells nothing of who asks', async () => {
      expect(await load(`${PICTURE}?size=1#part`)).toEqual({ type: 'image/png', bytes: PNG });
      expect(host.requests.map(({ method, url }) => [method, url])).toEqual([
        ['GET', '/a.png?size=1'],
      ]);
      expect(host.requests[0]?.headers).toEqual({
        accept: 'image/avif, image/webp, image/png, image/jpeg, image/gif',
        'accept-encoding': 'identity',
        connection: 'close',
        host: 'pictures.example.test',
        'user-agent': 'Meridian',
      });
    });
  });

  /** Under the policy of production, with names that would lead to the host if they were followed. */
  describe('an address that is refused before anything is sent', () => {
    test.each(
      words(`
      http://user@pictures.example.test/a.png http://pictures.example.test:8080/a.png
      ftp://pictures.example.test/a.png file:///etc/passwd
      data:image/png;base64,AAAA javascript:alert(1) blob:https://pictures.example.test/1
      //pictures.example.test/a.png /cdn/a.png a.png https:// not-an-address
      https://user@pictures.example.test/a.png https://:pw@pictures.example.test/a.png
      https://pictures.example.test:8443/a.png https://pictures.example.test:80/a.png
    `),
    )('%s', async (address) => {
      await expect(load(address)).rejects.toEqual(refusal('picture_address_invalid'));
      expect(host.requests).toEqual([]);
    });

    test.each(
      words(`
      127.0.0.1 127.1 0x7f.1 2130706433 017700000001 0177.0.0.1 127.0.0.1. ①②⑦.⓪.⓪.① 0.0.0.0 0
      [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::127.0.0.1]
      10.0.0.1 0xa000001 172.16.0.1 192.168.1.1 100.64.0.1 [fd12::1] [::ffff:10.0.0.1]
      169.254.169.254 0xa9fea9fe 2852039166 [::ffff:169.254.169.254] [fd00:ec2::254]
      100.100.100.200 168.63.129.16 169.254.0.1 [fe80::1] [fec0::1] [2002:7f00:1::1]
      224.0.0.1 255.255.255.255 192.0.2.1 198.18.0.1 [ff02::1] [2001:db8::1] [3fff::1]
    `),
    )('https://%s/', async (name) => {
      await expect(load(`https://${name}/a.png`, {})).rejects.toEqual(
        refusal('picture_address_private'),
      );
    });

    test.each(
      words('127.0.0.1 10.0.0.1 169.254.169.254 ::1 ::ffff:127.0.0.1 fd12::1 fe80::1 0.0.0.0'),
    )('a name that resolves to %s', async (address) => {
      const network = {
        ...host.network(),
        addresses: 'public' as const,
        resolve: resolver(() => address),
      };
      await expect(load(PICTURE, { network })).rejects.toEqual(refusal('picture_address_private'));
      expect(host.requests).toEqual([]);
    });

    test('localhost, by the resolver of the machine', async () => {
      await expect(load('https://localhost/a.png', {})).rejects.toEqual(
        refusal('picture_address_private'),
      );
    });
  });

  test('an address without encryption is asked the same way, and guarded the same way', async () => {
    const plain = 'http://pictures.example.test/a.png';
    expect(await load(plain)).toEqual({ type: 'image/png', bytes: PNG });
    expect(host.requests.map(({ url }) => url)).toEqual(['/a.png']);
    const guarded = { ...host.network(), addresses: 'public' as const };
    for (const address of [plain, 'http://127.0.0.1/a.png', 'http://[::ffff:10.0.0.1]/a.png']) {
      await expect(load(address, { network: guarded })).rejects.toEqual(
        refusal('picture_address_private'),
      );
    }
    redirectTo('http://192.168.1.1/b.png');
    await expect(load(plain)).rejects.toEqual(refusal('picture_address_private'));
  });

  describe('a redirect', () => {
    test('is followed three times, each from where it stands', async () => {
      redirectTo('/b.png', 'https://other.example.test/c/', 'd.png');
      expect((await load(PICTURE)).type).toBe('image/png');
      expect(host.requests.map(({ headers, url }) => `${headers.host}${url}`)).toEqual([
        'pictures.example.test/a.png',
        'pictures.example.test/b.png',
        'other.example.test/c/',
        'other.example.test/c/d.png',
      ]);
    });

    test('is not followed a fourth time', async () => {
      redirectTo('/1', '/2', '/3', '/4');
      await expect(load(PICTURE)).rejects.toEqual(refusal('picture_redirects'));
      expect(host.requests).toHaveLength(4);
    });

    test.each([
      ['ftp://pictures.example.test/a.png', 'picture_address_invalid'],
      ['https://169.254.169.254/latest/meta-data/', 'picture_address_private'],
      ['https://inside.example.test/', 'picture_address_private'],
    ])('to %s is checked like the first address', async (location, code) => {
      redirectTo(location);
      const network = host.network({ 'inside.example.test': '192.168.0.1' });
      await expect(load(PICTURE, { network })).rejects.toEqual(refusal(code));
      expect(host.requests).toHaveLength(1);
    });
  });

  describe('a host that misbehaves', () => {
    test('by sending without end is cut off past 5 MB', async () => {
      const closed = Promise.withResolvers<void>();
      host.answerWith((_, response) => {
        response.writeHead(200, { 'content-type': 'image/png' });
        response.write(PNG);
        const more = () => void response.write(MEGABYTE);
        response.on('drain', more).on('close', closed.resolve);
        more();
      });
      await expect(load(PICTURE)).rejects.toEqual(refusal('picture_too_large'));
      await closed.promise;
    });

    test('by announcing more than 5 MB is not waited for', async () => {
      host.answerWith((_, response) => {
        response.writeHead(200, { 'content-type': 'image/png', 'content-length': '99999999' });
        response.write(PNG);
      });
      await expect(load(PICTURE)).rejects.toEqual(refusal('picture_too_large'));
    });

    test('not by sending 5 MB', async () => {
      const whole = Buffer.concat([PNG, Buffer.alloc(5 * MEGABYTE.length - PNG.length)]);
      host.answerWith((_, response) => void response.end(whole));
      expect((await load(PICTURE)).bytes.equals(whole)).toBe(true);
    });

    test.each([
      ['never answers', () => {}],
      ['never ends its answer', (response: ServerResponse) => void response.write(PNG)],
      [
        'sends a byte now and then',
        (response: ServerResponse) => {
          const drip = setInterval(() => response.write('x'), 5);
          response.on('close', () => clearInterval(drip));
        },
      ],
    ])('as it %s is left when the time is up', async (_, misbehave) => {
      const closed = Promise.withResolvers<void>();
      const timeLimit = new AbortController();
      host.answerWith((_request, response) => {
        response.on('close', closed.resolve);
        misbehave(response);
        timeLimit.abort();
      });
      const network = host.network();
      const loading = load(PICTURE, { network, startTimeLimit: () => timeLimit.signal });
      await expect(loading).rejects.toEqual(refusal('picture_too_slow'));
      await closed.promise;
    });

    test.each([
      ['an SVG', 'image/png', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'],
      ['a page', 'image/png', '<!doctype html><script>1</script>'],
      ['nothing', 'image/png', ''],
      ['a compressed picture', 'image/png', gzipSync(PNG)],
      ['a bomb', 'image/png', gzipSync(Buffer.alloc(50 * MEGABYTE.length))],
    ])('by sending %s as a picture is refused', async (_, type, body) => {
      host.answerWith((_request, response) => {
        const encoding = Buffer.isBuffer(body) ? { 'content-encoding': 'gzip' } : {};
        response.writeHead(200, { 'content-type': type, ...encoding }).end(body);
      });
      await expect(load(PICTURE)).rejects.toEqual(refusal('picture_type_refused'));
    });

    test('by calling a picture something else is not believed', async () => {
      host.answerWith((_, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end(PNG),
      );
      expect((await load(PICTURE)).type).toBe('image/png');
    });

    test.each([204, 206, 301, 304, 401, 403, 404, 410, 500, 503])(
      'by answering %i has not sent it',
      async (status) => {
        host.answerWith((_, response) => void response.writeHead(status).end());
        await expect(load(PICTURE)).rejects.toEqual(refusal('picture_not_sent'));
      },
    );

    test.each([
      ['hangs up', () => host.answerWith((request) => request.socket.destroy()), PICTURE],
      [
        'hangs up in the middle',
        () =>
          host.answerWith((request, response) => {
            response.writeHead(200, { 'content-length': '100' });
            response.write(PNG, () => request.socket.destroy());
          }),
        PICTURE,
      ],
      ['does not exist', () => {}, 'https://nowhere.example/a.png'],
      ['has the certificate of another', () => {}, 'https://a.b.example.test/a.png'],
    ])('as it %s is unreachable', async (_, arrange, address) => {
      arrange();
      await expect(load(address)).rejects.toEqual(refusal('picture_unreachable'));
    });

    test('with a certificate of an unknown authority is unreachable', async () => {
      const untrusting = host.network({}, '');
      await expect(load(PICTURE, { network: untrusting })).rejects.toEqual(
        refusal('picture_unreachable'),
      );
      expect(host.requests).toEqual([]);
    });
  });

  describe('at once', () => {
    test('six are loaded, a seventh is told to come back, and then may', async () => {
      const service = createPicturesService({ network: host.network() });
      const held: ServerResponse[] = [];
      const sixArrived = Promise.withResolvers<void>();
      host.answerWith((_, response) => {
        held.push(response);
        if (held.length === 6) sixArrived.resolve();
      });
      const loading = Array.from({ length: 6 }, () => service.load(PICTURE, waiting));
      await sixArrived.promise;
      await expect(service.load(PICTURE, waiting)).rejects.toEqual(refusal('pictures_busy'));
      for (const response of held) response.end(PNG);
      await Promise.all(loading);
      host.answerWith(sendPng);
      expect((await service.load(PICTURE, waiting)).type).toBe('image/png');
    });

    test('one that no client waits for any more ends, and makes room', async () => {
      const gone = new AbortController();
      const closed = Promise.withResolvers<void>();
      host.answerWith((_, response) => {
        response.on('close', closed.resolve);
        gone.abort();
      });
      const service = createPicturesService({ network: host.network() });
      await expect(service.load(PICTURE, gone.signal)).rejects.toEqual(
        refusal('picture_unreachable'),
      );
      await closed.promise;
    });
  });
});

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
    ),
  );
const box = (size: number, ...brands: string[]) =>
  bytes([0, 0, 0, size], 'ftyp', brands[0] ?? '', [0, 0, 0, 0], ...brands.slice(1));

test.each([
  ['a PNG', PNG, 'image/png'],
  ['a JPEG', bytes([0xff, 0xd8, 0xff, 0xe0], 'JFIF'), 'image/jpeg'],
  ['a GIF of 1987', bytes('GIF87a', [1, 0, 1, 0]), 'image/gif'],
  ['a GIF of 1989', bytes('GIF89a', [1, 0, 1, 0]), 'image/gif'],
  ['a WebP', bytes('RIFF', [4, 0, 0, 0], 'WEBPVP8 '), 'image/webp'],
  ['an AVIF', box(20, 'avif', 'mif1'), 'image/avif'],
  ['an AVIF sequence', box(20, 'avis', 'msf1'), 'image/avif'],
  ['an AVIF by its compatible brand', box(24, 'mif1', 'miaf', 'avif'), 'image/avif'],
  ['a HEIC', box(20, 'heic', 'mif1'), null],
  ['a brand after the end of its box', box(20, 'mif1', 'miaf', 'avif'), null],
  ['a brand in the place of the version', bytes([0, 0, 0, 16], 'ftypmif1avif'), null],
  ['a box cut short', bytes([0, 0, 0, 32], 'ftyp'), null],
  ['an SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'), null],
  ['an SVG after spaces', bytes('\n  <?xml version="1.0"?><svg/>'), null],
  ['a page', bytes('<!doctype html><img src=x>'), null],
  ['a page that names a PNG', bytes('<html>\x89PNG\r\n\x1a\n'), null],
  ['half a signature', bytes('\x89PNG'), null],
  ['a WAV', bytes('RIFF', [4, 0, 0, 0], 'WAVEfmt '), null],
  ['a compressed PNG', gzipSync(PNG), null],
  ['nothing', Buffer.alloc(0), null],
])('%s is %s', (_, content, type) => {
  expect(pictureTypeOf(content)).toBe(type);
});
