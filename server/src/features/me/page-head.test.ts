import { describe, expect, test } from 'vitest';
import { readPageHead } from './link-card.ts';

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
