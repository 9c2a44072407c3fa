import { expect, test } from 'vitest';
import { sql } from '../db/sql.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { Keyset } from './keyset.ts';

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
  expect(decodeCursor(encodeCursor(cursor), KEYSET)).toEqual(cursor);
});

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const [status, time, id] = VALUES;
test.each<[string, string]>([
  ['nothing', ''],
  ['no JSON', 'ÿÿÿÿ'],
  ['no array', encoded({ side: 'next' })],
  ['another side', encoded(['up', status, time, id])],
  ['the keys of another list', encoded(['next', time, id])],
  ['a day that the calendar lacks', encoded(['next', status, '2026-02-30T00:00:00.000000Z', id])],
  ['a time in other words', encoded(['next', status, 'now', id])],
  ['an id that is none', encoded(['next', status, time, '1; drop table posts'])],
  ['a text with a null character', encoded(['next', '\0', time, id])],
  ['an object for a text', encoded(['next', { a: 1 }, time, { b: 2 }])],
])('a cursor of %s does not fit', (_, text) => {
  expect(decodeCursor(text, KEYSET)).toBe(null);
});
