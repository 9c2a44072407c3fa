import { describe, expect, test } from 'vitest';
import { readPageHead } from './page-head.ts';

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
    ['no markup in its words', '<title>&lt;script&gt;</title>', { title: '<script>' }],
  ])('tells %s', (_, html, expected) => {
    expect(head(html)).toMatchObject(expected);
  });

  test('is read in the character set of the response, or of the page itself', () => {
    const latin = Buffer.from('<title>Caf\xe9</title>', 'latin1');
    expect(head(latin, 'text/html; charset=iso-8859-1').title).toBe('Café');
    const sjis = Buffer.concat([
      Buffer.from('<meta charset="shift_jis"><title>'),
      Buffer.from('93fa967b', 'hex'),
      Buffer.from('</title>'),
    ]);
    expect(head(sjis, 'text/html').title).toBe('日本');
    expect(head('<title>ü</title>', 'text/html; charset=no-such-set').title).toBe('ü');
  });

  test('is cut to the length of a card', () => {
    const { title, description } = head(
      `<title>${'👍'.repeat(400)}</title><meta name="description" content="${'x'.repeat(5000)}">`,
    );
    expect([Array.from(title).length, description.length]).toEqual([300, 1000]);
  });
});
