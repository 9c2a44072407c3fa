import { parse, validate } from '@atcute/tid';
import { describe, expect, test } from 'vitest';
import { uuidV7 } from '../db/columns.ts';
import { cidOfBlob, cidOfRecord, newRkey, recordKey } from './identity.ts';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAAAwCAIAAAAuKetIAAAAZElEQVR4nO3PUQkAIBTAwJfFcIYzpSH8OITBAtxm7fN1' +
  'wwUNaEEDWtCAFjSgBQ1oQQNa0IAWNKAFDWhBA1rQgBY0oAUNaEEDWtCAFjSgBQ1oQQNa0IAWNKAFDWhBA1rQgBY8dgE5' +
  'r1jTpdhK9wAAAABJRU5ErkJggg==';
const PNG_CID = 'bafkreiak4s4ltmbz5grhwmz7wuxolkqrdvfuelego6husyskk44xoppo3y';

test('the CID of a blob is that of its raw bytes, as the reference PDS computed it', () => {
  expect(cidOfBlob(Buffer.from(PNG, 'base64'))).toBe(PNG_CID);
});

test('the CID of a record depends on its values, not on the order or absence of its fields', () => {
  const record = {
    $type: 'app.bsky.feed.post',
    text: 'Hello 🌍',
    createdAt: '2026-11-16T12:00:00.000Z',
    embed: { $type: 'app.bsky.embed.images', images: [{ image: { ref: { $link: PNG_CID } } }] },
  };
  const reordered = Object.fromEntries(Object.entries(record).toReversed());
  expect(cidOfRecord(record)).toMatch(/^bafyrei[a-z2-7]{52}$/);
  expect(cidOfRecord({ ...reordered, reply: undefined })).toBe(cidOfRecord(record));
  expect(cidOfRecord(JSON.parse(JSON.stringify(record)))).toBe(cidOfRecord(record));
  expect(cidOfRecord({ ...record, text: 'Hello' })).not.toBe(cidOfRecord(record));
});

test.each([
  { value: { ref: { $link: 'not-a-cid' } }, message: 'not a valid cid string' },
  { value: { size: Number.NaN }, message: 'NaN and Infinity values not supported' },
  { value: { at: new Date(0) }, message: 'unsupported type' },
])('what DAG-CBOR cannot hold is refused: $message', ({ value, message }) => {
  expect(() => cidOfRecord(value)).toThrow(message);
});

test('record keys are TIDs that rise', () => {
  const keys = Array.from({ length: 2_000 }, () => newRkey());
  expect(keys.every(validate)).toBe(true);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.toSorted()).toEqual(keys);
});

describe('the record key of a post', () => {
  const MADE_AT = Date.UTC(2026, 10, 19);

  test('never changes: what was published before is found under it', () => {
    expect(recordKey('019dd0c0-1234-7abc-8def-0123456789ab', 0)).toBe('3mkd2kapjrsc2');
    expect(recordKey('019dd0c0-1234-7abc-8def-0123456789ab', 24)).toBe('3mkd2kapjrscs');
    expect(recordKey('5c4ed000-0000-4000-8000-000000000001', 0)).toBe('2rnxx4472ia62');
  });

  test('is a TID of its own for each post and part, made in one moment', () => {
    const keys = Array.from({ length: 10_000 }, (_, n) => recordKey(uuidV7(MADE_AT), n % 25));
    expect(keys.every(validate)).toBe(true);
    expect(new Set(keys).size).toBe(keys.length);
    const id = uuidV7(MADE_AT);
    const parts = Array.from({ length: 25 }, (_, part) => recordKey(id, part));
    expect(new Set(parts.map((key) => parse(key).timestamp)).size).toBe(1);
    expect(parts.toSorted()).toEqual(parts);
  });

  test.each([0, 1, 2 ** 43, 2 ** 48 - 1])('is valid for an id of any time: %i', (at) => {
    expect(validate(recordKey(uuidV7(at), 24))).toBe(true);
  });

  test.each([MADE_AT, 2 ** 43 - 1])('is of the time of its id, or a little before: %i', (at) => {
    const { timestamp } = parse(recordKey(uuidV7(at), 24));
    expect(timestamp).toBeLessThanOrEqual(at * 1000);
    expect(timestamp).toBeGreaterThan(at * 1000 - 2 * 2 ** 37);
  });
});
