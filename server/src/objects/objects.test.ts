import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { publicUrls } from './object-store.ts';
import { inParallel, isObjectKey } from './objects.ts';

const GOOD = [
  'plans/index.json',
  'plans/0198c0de-0000-7000-8000-000000000001.json',
  'ogp-cache/ab/cd.webp',
  'a',
  'a b/c+d',
  'été/日本.png',
  'did:plc:abc/x..y',
  'x'.repeat(255),
];

const BAD = [
  '',
  '/',
  '/plans/index.json',
  'plans/',
  'plans//index.json',
  '.',
  '..',
  '../x',
  'a/../b',
  'a/..',
  'a/./b',
  '.env',
  'a/.git/config',
  '.generations/plans@1/index.json',
  'a\\b',
  '..\\..\\x',
  'a\u0000b',
  'a\nb',
  'a\u007fb',
  'a\u0085b',
  'https://example.com/x',
  'file:///etc/passwd',
  'a\ud800b',
  'x'.repeat(256),
  `${'x/'.repeat(256)}x`,
];

describe('object keys', () => {
  it.each(GOOD)('accepts %j', (key) => {
    expect(isObjectKey(key)).toBe(true);
  });

  it.each(BAD)('refuses %j', (key) => {
    expect(isObjectKey(key)).toBe(false);
    expect(() => publicUrls('/cdn/')(key)).toThrow('Not an object key');
  });
});

describe('public addresses', () => {
  it.each([
    ['/cdn/', 'plans/index.json', '/cdn/plans/index.json'],
    ['https://cdn.example', 'a b/c?d#e.png', 'https://cdn.example/a%20b/c%3Fd%23e.png'],
    ['http://127.0.0.1:3000/cdn', "(é)'!*", 'http://127.0.0.1:3000/cdn/%28%C3%A9%29%27%21%2A'],
  ])('%s and %s give %s', (base, key, url) => {
    expect(publicUrls(base)(key)).toBe(url);
  });

  it.each([
    'cdn',
    '//evil.example/',
    'ftp://x/',
    'https://u:p@x/',
    'https://x/?a=',
    'javascript:1',
  ])('refuses the base %s', (base) => {
    expect(() => publicUrls(base)).toThrow('CDN_BASE_URL');
  });
});

it('runs at most so many at once, and all of them', async () => {
  let underWay = 0;
  let most = 0;
  const done: number[] = [];
  await inParallel([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 4, async (item) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await turn();
    underWay -= 1;
    done.push(item);
  });
  expect(most).toBe(4);
  expect(done.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

it('after a failure starts nothing new, and throws when what runs has ended', async () => {
  const started: number[] = [];
  const ended: number[] = [];
  const work = inParallel([1, 2, 3, 4, 5, 6], 2, async (item) => {
    started.push(item);
    if (item === 1) throw new Error('first');
    await turn();
    await turn();
    ended.push(item);
  });
  await expect(work).rejects.toThrow('first');
  expect(started).toEqual([1, 2]);
  expect(ended).toEqual([2]);
});
