import { countGraphemes } from '@meridian/contract/network';
import { facetsOf } from '@meridian/contract/facets';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import corpus from '../../../../console/src/pages/posts/content/posts-corpus.json' with { type: 'json' };
import { detectFacets } from './compose-post.ts';

const PEOPLE = new Map(corpus.posts.map(({ user: { handle, did } }) => [handle, did]));
const resolve = async (handle: string) => PEOPLE.get(handle) ?? null;

/** Each facet with the bytes that it covers, read back as text. */
async function found(text: string) {
  const bytes = Buffer.from(text);
  return (await detectFacets(text, resolve)).map(({ index, features: [feature] }) => {
    const [type = '', target] = Object.values(feature ?? {});
    const covered = bytes.toString('utf8', index.byteStart, index.byteEnd);
    return [covered, type.split('#')[1], target];
  });
}

describe('facets of a text', () => {
  const mika = PEOPLE.get('mika.posts.test');
  test.each<[string, unknown[]]>([
    ['', []],
    ['Nothing here, not even at 10:30.', []],
    [
      'See https://example.com/a?b=c#d.',
      [['https://example.com/a?b=c#d', 'link', 'https://example.com/a?b=c#d']],
    ],
    [
      '(https://example.com/a_(b))',
      [['https://example.com/a_(b)', 'link', 'https://example.com/a_(b)']],
    ],
    [
      'example.com/x and http://example.org',
      [
        ['example.com/x', 'link', 'https://example.com/x'],
        ['http://example.org', 'link', 'http://example.org/'],
      ],
    ],
    [
      '新商品 https://example.com/新商品。次へ',
      [['https://example.com/新商品', 'link', 'https://example.com/%E6%96%B0%E5%95%86%E5%93%81']],
    ],
    ['「https://example.com/a」！', [['https://example.com/a', 'link', 'https://example.com/a']]],
    [
      '新商品 https://example.com/a。',
      [['https://example.com/a', 'link', 'https://example.com/a']],
    ],
    [
      '👩‍👩‍👧 @mika.posts.test 🌸 #花見',
      [
        ['@mika.posts.test', 'mention', mika],
        ['#花見', 'tag', '花見'],
      ],
    ],
    [
      '@Mika.Posts.Test, hello (@mika.posts.test)',
      [
        ['@Mika.Posts.Test', 'mention', mika],
        ['@mika.posts.test', 'mention', mika],
      ],
    ],
    ['@unknown.example and a@mika.posts.test', []],
    [
      '#one #two, #3 #4th #a_b! #️⃣ ＃全角',
      [
        ['#one', 'tag', 'one'],
        ['#two', 'tag', 'two'],
        ['#4th', 'tag', '4th'],
        ['#a_b', 'tag', 'a_b'],
        ['＃全角', 'tag', '全角'],
      ],
    ],
    [`#${'x'.repeat(65)}`, []],
    [`#${'👨‍👩‍👧‍👦'.repeat(26)}`, []],
    ['javascript:alert(1) ftp://example.com data:text/html,x', []],
    ['https://user:pass@example.com/ https://localhost/', []],
  ])('%s', async (text, expected) => {
    expect(await found(text)).toEqual(expected);
  });

  test('of the corpus are read back whole, in order and within the text', async () => {
    for (const { content } of corpus.posts) {
      const facets = await detectFacets(content, resolve);
      const { ranges, issues } = facetsOf(content, facets);
      expect({ content, issues, count: ranges.length }).toEqual({
        content,
        issues: [],
        count: facets.length,
      });
    }
    const first = corpus.posts[0];
    expect(await detectFacets(first?.content ?? '', resolve)).toEqual(first?.facets);
  });

  test('of any text are read back whole', async () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        'https://example.com',
        '@mika.posts.test',
        '#花見',
        '👩‍👩‍👧',
        ' ',
        '。',
        '(',
        ')',
        'e\u0301',
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const text = pieces.join('');
        const facets = await detectFacets(text, resolve);
        expect(facetsOf(text, facets)).toMatchObject({ issues: [] });
        expect(facetsOf(text, facets).ranges).toHaveLength(facets.length);
      }),
      { numRuns: 300 },
    );
  });
});

const long = (part: string) => part.repeat(3_000).slice(0, 3_000);

/** In the least of three runs, the CPU of this thread for a hundred texts. */
async function costOf(work: () => unknown): Promise<number> {
  const costs: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const before = process.threadCpuUsage();
    for (let text = 0; text < 100; text += 1) await work();
    const { user, system } = process.threadCpuUsage(before);
    costs.push(user + system);
  }
  return Math.min(...costs);
}

test.each([
  ['tags', ' #a'],
  ['tags after a link', 'http://a.com/#a #a '],
  ['tags of accents', ' #a\u0301\u0301\u0301'],
  ['links', 'a.co '],
  ['open brackets in links', 'a.com/('],
  ['addresses', 'mailto:a@b.c '],
  ['half mentions', '@a.b.c.d.'],
])('a post of %s costs little more than counting its characters', async (_, piece) => {
  const [text, prose] = [long(piece), long('Grüße aus dem Garten, wo die Kirschen blühen. ')];
  const counting = await costOf(() => countGraphemes(prose));
  // Up to three times as much was measured, and fourteen times where all tags were read to the end.
  expect(await costOf(() => detectFacets(text, resolve))).toBeLessThan(6 * counting);
});
