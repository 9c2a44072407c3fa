import { expect, test } from 'vitest';
import { threadOf } from './thread.ts';

test.each([
  [undefined, []],
  [null, []],
  ['a thread', []],
  [{ content: 'Not in a list' }, []],
  [
    [null, 7, { content: 3 }],
    ['', '', ''],
  ],
  [
    [{ content: 'Second' }, { content: 'Third', embed: {} }],
    ['Second', 'Third'],
  ],
])('%j is a thread of %j', (thread, contents) => {
  expect(threadOf(thread).map(({ content }) => content)).toEqual(contents);
});

test('is no longer than the network allows', () => {
  expect(threadOf(Array.from({ length: 60 }, () => ({ content: 'One' })))).toHaveLength(24);
});
