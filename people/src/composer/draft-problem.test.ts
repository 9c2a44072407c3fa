import { expect, test } from 'vitest';
import { limitsOf } from '../limits.ts';
import { emptyDraft, emptyPart } from './draft.ts';
import { problemOf } from './draft-problem.ts';

const media = { id: 'm', url: '/m', mimeType: 'image/webp', width: 2, height: 1, bytes: 9 };
const picture = { media, alt: '' };
const of = (...texts: string[]) => ({
  ...emptyDraft('en'),
  parts: texts.map((text) => Object.assign(emptyPart(), { text })),
});
const FREE = limitsOf({ max_post_length: 5, max_images_per_post: 1, thread_posts: false });
const PAID = limitsOf({ thread_posts: true, thread_posts_limit: 1, max_post_length: 1000 });

test.each([
  ['nothing', of(' '), FREE, /^Write something/],
  ['as much as fits', of('12345'), FREE, undefined],
  ['one too many', of('123456'), FREE, /1 character too long/],
  // A family, a flag and a letter with two accents are three characters to a reader.
  ['characters as a reader counts them', of('👨‍👩‍👧‍👦🇩🇪a\u0301\u0302ok'), FREE, undefined],
  ['more bytes than the network takes', of('👨‍👩‍👧‍👦'.repeat(121)), PAID, /3025 of 3000 bytes/],
  ['Japanese', of('こんにちは'), FREE, undefined],
  ['a thread without the plan for it', of('a', 'b'), FREE, /no threads/],
  ['a thread', of('a', 'b'), PAID, undefined],
  ['a thread that is too long', of('a', 'b', 'c'), PAID, /at most 2 posts/],
  ['an empty part', of('a', ''), PAID, /Post 2 of the thread is empty/],
  [
    'a picture alone',
    { ...of(''), parts: [{ ...emptyPart(), pictures: [picture] }] },
    FREE,
    undefined,
  ],
  [
    'more pictures than the plan has',
    { ...of(''), parts: [{ ...emptyPart(), pictures: [picture, picture] }] },
    FREE,
    /at most 1 pictures/,
  ],
  ['more than the network takes, whatever the plan says', of('x'.repeat(301)), PAID, /1 character/],
])('%s', (_, draft, limits, problem) => {
  expect(problemOf(draft, limits)?.sentence ?? 'none').toMatch(problem ?? /^none$/);
});

test('names the part at fault, and none where it is the thread', () => {
  const draft = of('a', '');
  expect(problemOf(draft, PAID)?.part).toBe(draft.parts[1]?.id);
  expect(problemOf(of('a', 'b'), FREE)?.part).toBeUndefined();
});

test('limits that a plan does not name are those of the network', () => {
  expect(limitsOf({})).toEqual({
    characters: 300,
    pictures: 4,
    pictureBytes: 1_000_000,
    parts: 1,
    slotMinutes: 1,
    days: -1,
  });
});
