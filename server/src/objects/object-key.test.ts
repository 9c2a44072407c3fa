import { describe, expect, it } from 'vitest';
import { isObjectKey } from './objects.ts';
import { publicUrls } from './object-store.ts';

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
