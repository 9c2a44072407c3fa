import { meLinkCard } from '@meridian/contract/me/posts';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { startPictureHost } from '../pictures/testing/picture-host.ts';
import type { PictureHost } from '../pictures/testing/picture-host.ts';
import { createLinkCards, readPageHead } from './link-card.ts';
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
    ['a password', 'https://a:b@page.example.test/', 'link_address_invalid'],
    ['a private address', 'https://10.0.0.1/', 'link_address_private'],
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

  test('is read for others while one member waits for many', async () => {
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

const head = (html: string | Buffer, type = 'text/html; charset=utf-8') =>
  readPageHead(Buffer.from(html), type);

describe('the head of a page', () => {
  test.each<[string, string, object]>([
    ['nothing', '', { title: '', description: '', picture: null }],
    ['a title', '<title> A \n title </title>', { title: 'A title' }],
    ['entities', '<title>Fish &amp; chips &#127839;</title>', { title: 'Fish & chips 🍟' }],
    [
      'its words for cards before its own',
      `<title>Own</title><meta property="og:title" content="Card"><meta name=description content="Own">
       <META PROPERTY="og:description" CONTENT="For cards"><meta property="og:image" content="/a.png">`,
      { title: 'Card', description: 'For cards', picture: '/a.png' },
    ],
    [
      'the first of several',
      '<meta property="og:title" content="One"><meta property="og:title" content="Two">',
      { title: 'One' },
    ],
    [
      'nothing of its body',
      '<head><title>Head</title></head><body><meta property="og:title" content="Of a visitor">',
      { title: 'Head' },
    ],
    [
      'no text of a script',
      '<script>"<title>No</title>"</script><title>Yes</title>',
      { title: 'Yes' },
    ],
    [
      'broken tags',
      '<title>Broken</title><meta property="og:image" content="x"',
      { title: 'Broken' },
    ],
    [
      'nothing past more open tags than a head has',
      `<title>Deep</title>${'<i>'.repeat(170_000)}<meta property="og:title" content="Deeper">`,
      { title: 'Deep' },
    ],
    [
      'what comes late, in whole characters',
      `<script>${'ü'.repeat(100_001)}</script><title>Late</title>`,
      { title: 'Late' },
    ],
    [
      'nothing past more tags than a head has',
      `<title>Many</title>${'<br>'.repeat(10_000)}<meta property="og:title" content="More">`,
      { title: 'Many' },
    ],
    [
      'no address longer than any',
      `<meta property="og:image" content="https://a.test/${'x'.repeat(10_000)}">`,
      { picture: null },
    ],
    ['no markup in its words', '<title>&lt;script&gt;</title>', { title: '<script>' }],
  ])('tells %s', async (_, html, expected) => {
    expect(await head(html)).toMatchObject(expected);
  });

  test('is read in the character set of the response, or of the page itself', async () => {
    const latin = Buffer.from('<title>Caf\xe9</title>', 'latin1');
    expect((await head(latin, 'text/html; charset=iso-8859-1')).title).toBe('Café');
    const sjis = Buffer.concat([
      Buffer.from('<meta charset="shift_jis"><title>'),
      Buffer.from('93fa967b', 'hex'),
      Buffer.from('</title>'),
    ]);
    expect((await head(sjis, 'text/html')).title).toBe('日本');
    expect((await head('<title>ü</title>', 'text/html; charset=no-such-set')).title).toBe('ü');
  });

  test('is cut to the length of a card', async () => {
    const { title, description } = await head(
      `<title>${'👍'.repeat(400)}</title><meta name="description" content="${'x'.repeat(5000)}">`,
    );
    expect([Array.from(title).length, description.length]).toEqual([300, 1000]);
  });
});

const PAGE_BYTES = 512 * 1024;
const MAX_STRETCH_MS = 50;

/** A page of the largest size: a beginning, one piece again and again, and an end. */
function filled(start: string, piece: string | Buffer, end = ''): Buffer {
  const fill = Buffer.alloc(PAGE_BYTES - start.length - end.length, piece);
  return Buffer.concat([Buffer.from(start), fill, Buffer.from(end)]);
}
/** The same of pieces that are all different. */
function numbered(start: string, piece: (word: string) => string): Buffer {
  const pieces = Array.from({ length: 120_000 }, (_, index) => piece(index.toString(36)));
  return Buffer.from(start + pieces.join('')).subarray(0, PAGE_BYTES);
}

/** In its own processor time, so that other processes of the machine do not count. */
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** The longest time that nothing else could run. */
async function longestStretch(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = cpuMs();
  let isOver = false;
  const look = () => {
    const now = cpuMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  look();
  isOver = true;
  return longest;
}

test.each<[string, Buffer, string?]>([
  ['nested tags', filled('', '<i>')],
  ['closing tags of no open one', Buffer.from('<i>'.repeat(74_898) + '</b>'.repeat(65_536))],
  ['closing tags within the deepest', filled('<i>'.repeat(31), '</b>')],
  ['paragraphs that are never closed', filled('', '<p>')],
  ['paragraphs that are never opened', filled('', '</p>')],
  ['items that close each other', filled('', '<li>')],
  ['drawings', filled('', '<svg/>')],
  ['tags within tags that are forgotten', filled('<p>', '<b><p></b>')],
  ['attributes of one tag', numbered('<i ', (word) => `${word} `)],
  ['numbers as attributes of one tag', filled('<i ', '4294967294 4294967293 ')],
  ['the same attribute of one tag', filled('<i ', 'a=b ')],
  ['an attribute', filled('<meta name=description content="', 'x', '">')],
  ['an attribute of entities', filled('<meta name=description content="', '&amp;', '">')],
  ['an attribute without an end', filled('<meta content="', '&#x41;')],
  ['an address of a picture', filled('<meta property=og:image content="https://', 'a\u0301', '">')],
  ['meta tags', numbered('', (word) => `<meta name=${word} content=b>`)],
  ['titles', filled('', '<title>x</title>')],
  ['a title', filled('<title>', 'x')],
  ['a title of entities', filled('<title>', '&#x1F35F;')],
  ['a title of what are no entities', filled('<title>', '&CounterClockwiseContourIntegra')],
  ['a title of ampersands', filled('<title>', '&')],
  ['a title of spaces', filled('<title>a', ' \n', 'b</title>')],
  ['a title of words', filled('<title>', ' x')],
  ['a title of accents', filled('<title>a', '\u0301')],
  ['a title of joined emoji', filled('<title>', '👩\u200d')],
  ['a number without an end', filled('<title>&#', '9')],
  ['a comment of dashes', filled('<!--', '-')],
  ['comments', filled('', '<!---->')],
  ['a CDATA section', filled('<svg><![CDATA[', ']')],
  ['CDATA sections', filled('<svg>', '<![CDATA[]]>')],
  ['a script of half ends', filled('<script>', '</s')],
  ['a style', filled('<style>', '</styl')],
  ['a text area', filled('<textarea>', '</textare')],
  ['half tags', filled('', '<')],
  ['half closing tags', filled('', '</')],
  ['declarations', filled('', '<!>')],
  ['instructions', filled('', '<?>')],
  ['a document type', filled('<!doctype html [', '<!ENTITY a "b">')],
  ['ampersands', filled('', '&')],
  ['NULs', filled('<title>', '\0')],
  ['names of character sets', filled('', 'charset='), 'text/html'],
  ['UTF-16', filled('', '<\0p\0>\0'), 'text/html; charset=utf-16'],
  ['UTF-8 that is none', filled('<title>', Buffer.from([0xff]))],
  ['EUC-JP that is none', filled('', Buffer.from([0x8f])), 'text/html; charset=euc-jp'],
  [
    'Shift JIS that is none',
    filled('', Buffer.from('bdff', 'hex')),
    'text/html; charset=shift_jis',
  ],
  ['ISO-2022-JP', filled('', '\x1b$B\x1b(B'), 'text/html; charset=iso-2022-jp'],
  ['GB 18030 that is none', filled('', Buffer.from([0xff])), 'text/html; charset=gb18030'],
])('half a megabyte of %s leaves the process to others', async (_, page, type) => {
  const stretches = [];
  for (let run = 0; run < 3; run += 1) stretches.push(await longestStretch(() => head(page, type)));
  expect(Math.min(...stretches)).toBeLessThan(MAX_STRETCH_MS);
});
