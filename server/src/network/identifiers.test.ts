import { validate } from '@atcute/tid';
import { expect, test } from 'vitest';
import { cidOfBlob, cidOfRecord, newRkey } from './identifiers.ts';

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
