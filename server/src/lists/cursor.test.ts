import { expect, test } from 'vitest';
import { sql } from '../db/sql.ts';
import { decodeCursor, encodeCursor } from '../db/page.ts';
import type { Keyset } from '../db/page.ts';

const KEYSET: Keyset = {
  keys: [
    { column: sql`status`, type: 'text' },
    { column: sql`scheduled_at`, type: 'time' },
    { column: sql`id`, type: 'id' },
  ],
  order: 'desc',
};
const VALUES = ['PENDING', '2026-02-28T23:59:59.123456Z', '018f0000-0000-7000-8000-000000000001'];

test.each(['next', 'previous'] as const)('a cursor to the %s page is read back', (side) => {
  const cursor = { side, values: VALUES };
  const text = encodeCursor(cursor, KEYSET);
  expect(text).toBe(`${side}.PENDING.20260228235959123456.018f0000000070008000000000000001`);
  expect(decodeCursor(text, KEYSET)).toEqual(cursor);
});

const TIME = '20260228235959123456';
const ID = '018f0000000070008000000000000001';
test.each<[string, string]>([
  ['nothing', ''],
  ['another side', `up.PENDING.${TIME}.${ID}`],
  ['the keys of another list', `next.${TIME}.${ID}`],
  ['more keys', `next.PENDING.${TIME}.${ID}.${ID}`],
  ['a day that the calendar lacks', `next.PENDING.20260230000000000000.${ID}`],
  ['a time in other words', `next.PENDING.now.${ID}`],
  ['an id that is none', `next.PENDING.${TIME}.1; drop table posts`],
  ['a text with a null character', `next.\0.${TIME}.${ID}`],
  ['a text with a quote', `next.P'.${TIME}.${ID}`],
])('a cursor of %s does not fit', (_, text) => {
  expect(decodeCursor(text, KEYSET)).toBe(null);
});
