import { expect, test } from 'vitest';
import { indexedPart } from './users.store.ts';

test.each([
  ['someone.bsky.social', 'someone.'],
  ['someone.', 'someone.'],
  ['someone', 'someone'],
  ['did:plc:abcdefghijkl', ':abcdefghijkl'],
  ['did:web:someone.example', ':someone.'],
  ['did:plc:', 'did:plc:'],
  ['did:plc:ab', 'did:plc:ab'],
  ['.bsky.social', '.bsky.social'],
  ['al.bsky.social', 'al.bsky.social'],
  ['zoë.example', 'zoë.example'],
  ['x', 'x'],
  ['', ''],
])('of "%s" the index is asked for "%s"', (text, part) => {
  expect(indexedPart(text)).toBe(part);
  expect(text).toContain(part);
});
