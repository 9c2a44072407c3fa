import { CAUSES, HOLDS, operatorSentence } from '@meridian/contract/causes';
import { facetsOf } from '@meridian/contract/facets';
import { countGraphemes } from '@meridian/contract/network';
import { POST_STATUSES } from '@meridian/contract/posts';
import * as fc from 'fast-check';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import corpus from '../../../../demo/data/posts-corpus.json' with { type: 'json' };
import { composePost, detectFacets } from './compose-post.ts';
import { sentenceFor } from './posts.store.ts';

const part = (content: string) => ({ content, images: [], external: null });
const mentions = (names: readonly string[]) => names.map((name) => `@${name}.test`).join(' ');

/** The post of these texts, and the handles that were looked up for it. */
async function compose([first = '', ...further]: string[]) {
  const asked: string[] = [];
  let underWay = 0;
  let mostAtOnce = 0;
  const resolve = async (handle: string) => {
    asked.push(handle);
    underWay += 1;
    mostAtOnce = Math.max(mostAtOnce, underWay);
    await nextTurn();
    underWay -= 1;
    return `did:web:${handle}`;
  };
  const post = await composePost(
    {
      ...part(first),
      thread: further.map(part),
      languages: [],
      replyTo: 'https://bsky.app/profile/author.test/post/3k',
      quote: null,
      scheduledAt: '2027-01-01T00:00:00.000Z',
    },
    { media: new Map(), resolve },
  );
  const facets = [post, ...(post.thread ?? [])].map((one) => one.facets?.length ?? 0);
  return { asked, mostAtOnce, facets, replyTo: post.replyTo };
}

test('a handle in every post of a thread is looked up once and mentioned in each', async () => {
  const { asked, facets } = await compose(Array.from({ length: 25 }, () => mentions(['anna'])));
  expect(asked).toEqual(['anna.test', 'author.test']);
  expect(facets).toEqual(Array.from({ length: 25 }, () => 1));
});

test('a thread looks up fifty handles, eight at once, and the author that it replies to', async () => {
  const texts = Array.from({ length: 25 }, (_, text) =>
    mentions(Array.from({ length: 20 }, (__, index) => `p${text}x${index}`)),
  );
  const { asked, mostAtOnce, facets, replyTo } = await compose(texts);
  expect([asked.length, mostAtOnce]).toEqual([51, 8]);
  expect(facets.reduce((sum, count) => sum + count)).toBe(50);
  expect(replyTo).toBe('at://did:web:author.test/app.bsky.feed.post/3k');
});

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

const of = (status: 'PENDING' | 'FAILED', cause: string | null) =>
  sentenceFor({ status, hold: null, cause, error_msg: null });

const held = (hold: string, cause: string | null) =>
  sentenceFor({ status: 'PENDING', hold, cause, error_msg: null });

const failed = (cause: Parameters<typeof operatorSentence>[0], facts: object) =>
  sentenceFor({
    status: 'FAILED',
    hold: null,
    cause,
    error_msg: operatorSentence(cause, { host: 'https://pds.example:8443', ...facts }),
  });

test('a post that is retried says so, and one that failed for the same cause does not', () => {
  expect(of('PENDING', 'host_slow')).toBe('Your server is slow. We keep trying');
  expect(of('FAILED', 'host_slow')).toBe('Your server is slow');
});

const WAITING = /keep trying|goes? out|\bwaits?\b|delayed|until/i;
const OVER =
  /breaks|too (?:long|many|large)|could not be|lost|was published|is gone|before you post/;
const CONTRADICTS = {
  PENDING: OVER,
  // It is on its way: nothing is waited for.
  PROCESSING: new RegExp(`${OVER.source}|goes out|wait|delayed|until|again`),
  COMPLETED: WAITING,
  CANCELLED: WAITING,
  FAILED: WAITING,
};

test.each(POST_STATUSES)('no cause says what contradicts the status %s', (status) => {
  const said = Object.keys(CAUSES).flatMap((cause) =>
    [null, ...Object.keys(HOLDS)].map((hold) =>
      sentenceFor({ status, hold, cause, error_msg: null }),
    ),
  );
  const wrong = said.filter((sentence) => sentence !== null && CONTRADICTS[status].test(sentence));
  expect(wrong).toEqual([]);
});

test.each([...Object.keys(CAUSES), null])(
  'a post that failed with the cause %s says something',
  (cause) => {
    expect(of('FAILED', cause)).not.toBeNull();
  },
);

test('a failed post without a cause says so in general words', () => {
  expect(of('FAILED', null)).toBe('Your post could not be published');
  expect(of('FAILED', 'rate_limited_account')).toBe('Your account posted too much');
});

test('a post that waits for its author says what else there is to do', () => {
  expect(held('reconnect', 'scope_missing')).toBe('Connect your account again and allow posting');
  expect(held('reconnect', 'moved')).toBe('Your account moved to another server. Connect it again');
  // Of an earlier attempt.
  expect(held('reconnect', 'host_slow')).toBe(
    'Connect your account again. Your posts wait until then',
  );
  expect(held('user_off', 'moved')).toMatch(/^Waits until your account here is active again/);
});

test('a post that waits for a rate limit says whose it is', () => {
  expect(held('rate_limited', 'rate_limited_host')).toBe('Your post is delayed');
  expect(held('rate_limited', 'rate_limited_account')).toBe(
    'Your account posted too much. Your post goes out later',
  );
  expect(held('rate_limited', null)).toBe(
    'Your post is delayed by a rate limit. It goes out later',
  );
});

test('a post that the network does not accept says why', () => {
  expect(failed('invalid_record', { reason: 'Invalid facets: index 3' })).toBe(
    'This post breaks a rule of the network: Invalid facets: index 3',
  );
  expect(failed('too_long', { count: 312, unit: 'characters', limit: 300 })).toBe(
    'Your post is too long: 312 characters, the network allows 300',
  );
  expect(failed('too_long', {})).toBe('Your post is too long');
  expect(failed('internal', { reference: 'a: b' })).toBe('There is a fault on our side');
});
