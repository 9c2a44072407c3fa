import { afterEach, expect, test, vi } from 'vitest';
import type { MePost } from '@meridian/contract/me/posts';
import { ApiError } from '@meridian/ui/api/errors.ts';
import { backoffMs } from '../api/reads.ts';
import { loadUpcoming, pauseAfter } from './PostsCard.tsx';

const NOW = Date.parse('2026-11-16T10:00:00Z');
const due = (seconds: number, status = 'PENDING') =>
  // Only what the pause depends on.
  ({ status, scheduledAt: new Date(NOW + seconds * 1000).toISOString() }) as MePost;

test.each([
  ['nothing is scheduled', [], 15_000],
  ['the next one is due tomorrow', [due(86_400)], 15_000],
  ['the next one is due in a moment', [due(3), due(600)], 4_000],
  ['one is due now', [due(0)], 2_000],
  ['one has been waiting for half a minute', [due(-30)], 7_500],
  ['one has been waiting for a day', [due(-86_400)], 15_000],
  ['all are over', [due(-1, 'COMPLETED'), due(-1, 'FAILED')], 15_000],
])('while %s, the posts are read again after a while', (_, posts, ms) => {
  expect(pauseAfter(posts, NOW)).toBe(ms);
});

test('failures are retried ever more rarely, and not before the server wants it', () => {
  const lost = new ApiError({ status: 0, message: '' });
  expect([1, 2, 3, 9].map((count) => backoffMs({ count, error: lost }))).toEqual([
    2_000, 4_000, 8_000, 60_000,
  ]);
  const limited = new ApiError({ status: 429, message: '', retryAfterMs: 90_000 });
  expect(backoffMs({ count: 1, error: limited })).toBe(90_000);
});

afterEach(() => vi.unstubAllGlobals());

test('of many posts that leave the list at once, few are read one by one', async () => {
  const asked: string[] = [];
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url);
    const post = { ...due(60, 'CANCELLED'), id: url.split('/').at(-1) };
    return Promise.resolve(Response.json(url.includes('?') ? { posts: [] } : { post }));
  });
  const before = Array.from({ length: 100 }, (_, n) => ({ ...due(60 + n), id: `post-${n}` }));
  const kept = { ...due(-60, 'COMPLETED'), id: 'published' };
  const posts = await loadUpcoming([kept, ...before], new AbortController().signal);
  expect(asked).toHaveLength(2 + 20);
  expect(posts.map(({ id, status }) => `${id} ${status}`).slice(0, 2)).toEqual([
    'published COMPLETED',
    'post-0 CANCELLED',
  ]);
  expect(posts).toHaveLength(1 + 20);
});

test('a post that goes out without having been listed is listed, once', async () => {
  const going = { ...due(-60, 'PROCESSING'), id: 'going' };
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('fetch', (url: string) => {
    const posts = url.includes('status=PROCESSING') ? [going] : [];
    return Promise.resolve(Response.json({ posts }));
  });
  const { signal } = new AbortController();
  expect(await loadUpcoming([], signal)).toEqual([going]);
  // Claimed between the two reads.
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ posts: [going] })));
  expect(await loadUpcoming([going], signal)).toEqual([going]);
});
