import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { composePost } from './compose-post.ts';

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
