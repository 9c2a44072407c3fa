import { gzipSync } from 'node:zlib';
import { meLinkCard } from '@meridian/contract/me/posts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { startPictureHost } from '../pictures/testing/picture-host.ts';
import type { PictureHost } from '../pictures/testing/picture-host.ts';
import { createLinkCards } from './link-card.ts';
import { startMember } from './testing/member-calls.ts';
import { png } from './testing/picture-files.ts';

const PAGE = `<!doctype html><head><title>Own</title>
  <meta property="og:title" content="A page"><meta property="og:description" content="About it">
  <meta property="og:image" content="/card.png"></head>`;
const ADDRESS = 'https://page.example.test/a?b=c';

describe('a link card', () => {
  let host: PictureHost;
  let api: TestApp;
  beforeAll(async () => {
    host = await startPictureHost();
    const network = host.network({ 'private.example.test': '10.0.0.1' });
    api = await startTestApp('embedded', { pictures: { network } });
    await api.signIn();
  });
  afterAll(async () => {
    await api.close();
    await host.close();
  });
  afterEach(() => void host.requests.splice(0));

  /** What the host sends for each path. */
  function serve(
    paths: Record<string, { type?: string; body?: string | Buffer; to?: string; status?: number }>,
  ) {
    host.answerWith((request, response) => {
      const found = paths[request.url ?? ''] ?? { status: 404 };
      const { type = 'text/html', body = '', to, status = to === undefined ? 200 : 302 } = found;
      response.writeHead(status, {
        'content-type': type,
        ...(to !== undefined && { location: to }),
      });
      response.end(body);
    });
  }
  async function card(uri: string, limits?: Record<string, unknown>) {
    const { headers } = await startMember(api, limits);
    return api.call(meLinkCard, { headers, body: { uri } });
  }

  test('has title, description and picture of the page', async () => {
    serve({
      '/a?b=c': { body: PAGE },
      '/card.png': { type: 'image/png', body: png({ width: 40, height: 20 }) },
    });
    expect((await card(ADDRESS)).answer.card).toMatchObject({
      uri: ADDRESS,
      title: 'A page',
      description: 'About it',
      media: { mimeType: 'image/png', width: 40, height: 20 },
    });
    const [asked] = host.requests;
    expect(asked?.headers).not.toHaveProperty('cookie');
  });

  test.each<[string, object]>([
    ['is no picture', { type: 'image/png', body: '<svg/>' }],
    ['is too large', { type: 'image/png', body: png({ padding: 1_100_000 }) }],
    ['is not there', { status: 404 }],
    ['leads into a private network', { to: 'https://private.example.test/' }],
  ])('whose picture %s has none', async (_, picture) => {
    serve({ '/a?b=c': { body: PAGE }, '/card.png': picture });
    expect((await card(ADDRESS)).answer.card).toMatchObject({ title: 'A page', media: null });
  });

  test('whose picture is announced as too large for a card does not wait for it', async () => {
    host.answerWith(({ url }, response) => {
      if (url !== '/card.png') response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
      else response.writeHead(200, { 'content-length': '1000001' }).flushHeaders();
    });
    const { userId } = await startMember(api);
    const [media, network] = [api.context.media, host.network()];
    const cards = createLinkCards({ media, network, timeoutMs: 1_000_000 });
    const card = await cards.read(userId, ADDRESS, new AbortController().signal);
    expect(card).toMatchObject({ title: 'A page', media: null });
  });

  test('whose picture passes the limits of the plan has none', async () => {
    serve({ '/a?b=c': { body: PAGE }, '/card.png': { type: 'image/png', body: png() } });
    expect((await card(ADDRESS, { storage_mb: 0 })).answer.card.media).toBeNull();
  });

  test('of a page without words has the name of its host', async () => {
    serve({ '/a?b=c': { body: '<p>Hello' } });
    expect((await card(ADDRESS)).answer.card).toMatchObject({
      title: 'page.example.test',
      media: null,
    });
  });

  test('of a page without an end is read as far as its head', async () => {
    host.answerWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write(PAGE.replace('og:image', 'x'));
      const pour = () => {
        while (response.writable && response.write('x'.repeat(65_536)));
      };
      response.on('drain', pour);
      pour();
    });
    expect((await card(ADDRESS)).answer.card.title).toBe('A page');
  });

  test.each([
    ['http', 'http://page.example.test/', 'link_address_invalid'],
    ['a file', 'file:///etc/passwd', 'link_address_invalid'],
    ['a script', 'javascript:alert(1)', 'link_address_invalid'],
    ['another protocol', 'gopher://page.example.test/', 'link_address_invalid'],
    ['no address', 'hello', 'link_address_invalid'],
    ['a password', 'https://a:b@page.example.test/', 'link_address_invalid'],
    ['another port', 'https://page.example.test:8443/', 'link_address_invalid'],
    ['a metadata service', 'https://169.254.169.254/latest/', 'link_address_private'],
    ['a private address', 'https://10.0.0.1/', 'link_address_private'],
    ['an address as a number', 'https://167772161/', 'link_address_private'],
    ['an octal address', 'https://012.0.0.1/', 'link_address_private'],
    ['a hexadecimal address', 'https://0xa.1/', 'link_address_private'],
    ['a private IPv6 address', 'https://[fd00::1]/', 'link_address_private'],
    ['IPv4 within IPv6', 'https://[::ffff:10.0.0.1]/', 'link_address_private'],
    ['a name of a private address', 'https://private.example.test/', 'link_address_private'],
    ['an unknown name', 'https://unknown.invalid/', 'link_unreachable'],
  ] as const)('of %s is refused, and nothing is fetched', async (_, uri, code) => {
    expect(refusal(await card(uri))).toEqual(catalogued(code));
    expect(host.requests).toEqual([]);
  });

  test.each<[string, Parameters<typeof serve>[0], Parameters<typeof catalogued>[0], number]>([
    [
      'redirects to a private address',
      { '/a?b=c': { to: 'https://10.0.0.1/' } },
      'link_address_private',
      1,
    ],
    [
      'redirects to a private name',
      { '/a?b=c': { to: 'https://private.example.test/' } },
      'link_address_private',
      1,
    ],
    [
      'redirects to http',
      { '/a?b=c': { to: 'http://page.example.test/' } },
      'link_address_invalid',
      1,
    ],
    ['redirects for ever', { '/a?b=c': { to: '/a?b=c' } }, 'link_redirects', 4],
    ['is not there', {}, 'link_not_sent', 1],
    ['is a picture', { '/a?b=c': { type: 'image/png', body: png() } }, 'link_not_a_page', 1],
    ['is a program', { '/a?b=c': { type: 'application/octet-stream' } }, 'link_not_a_page', 1],
  ])('of a page that %s is refused in a sentence', async (_, paths, code, requests) => {
    serve(paths);
    expect(refusal(await card(ADDRESS))).toEqual(catalogued(code));
    expect(host.requests).toHaveLength(requests);
  });

  test('of a page that is compressed, though that was declined, is not unpacked', async () => {
    host.answerWith((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(50_000_000, PAGE)));
    });
    expect((await card(ADDRESS)).answer.card).toMatchObject({ title: 'page.example.test' });
  });

  test.each<[string, Parameters<typeof host.answerWith>[0]]>([
    ['never responds', () => {}],
    [
      'sends a byte at a time',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        const timer = setInterval(() => response.write('<'), 5);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('of a host that %s is refused in a sentence', async (_, handler) => {
    host.answerWith(handler);
    const { userId } = await startMember(api);
    const cards = createLinkCards({
      media: api.context.media,
      network: host.network(),
      timeoutMs: 50,
    });
    const reading = cards.read(userId, ADDRESS, new AbortController().signal);
    await expect(reading).rejects.toThrow(catalogued('link_too_slow').message);
  });

  test('is read for others while one person waits for many', async () => {
    const [hasty, other] = [await startMember(api), await startMember(api)];
    const cards = createLinkCards({ media: api.context.media, network: host.network() });
    host.answerWith((request, response) => {
      if (request.url === '/slow') return;
      response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE.replace('og:image', 'x'));
    });
    const gone = new AbortController();
    const slow = () => cards.read(hasty.userId, 'https://page.example.test/slow', gone.signal);
    const waiting = Promise.allSettled(Array.from({ length: 26 }, slow));
    await expect.poll(() => host.requests.length).toBe(3);
    const card = await cards.read(other.userId, ADDRESS, new AbortController().signal);
    expect(card.title).toBe('A page');
    expect(host.requests).toHaveLength(4);
    gone.abort();
    await waiting;
    const later = await cards.read(hasty.userId, ADDRESS, new AbortController().signal);
    expect(later.title).toBe('A page');
  });

  test('needs a session', async () => {
    expect(refusal(await api.call(meLinkCard, { body: { uri: ADDRESS } }))).toEqual(
      catalogued('unauthenticated'),
    );
  });
});
