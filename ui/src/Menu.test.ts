import { expect, test } from 'vitest';
import { menuTarget } from './Menu.tsx';

const entries = ['Change Password', 'System', 'Light', 'Dark', 'Logout'].map((text) => ({ text }));

test.each([
  ['ArrowDown', -1, 0],
  ['ArrowDown', 0, 1],
  ['ArrowDown', 4, 0],
  ['ArrowUp', -1, 4],
  ['ArrowUp', 0, 4],
  ['ArrowUp', 3, 2],
  ['Home', 3, 0],
  ['End', 0, 4],
  ['l', -1, 2],
  ['L', 2, 4],
  ['l', 4, 2],
  ['c', 0, 0],
  ['x', 0, undefined],
  [' ', 0, undefined],
  ['Enter', 0, undefined],
  ['Tab', 0, undefined],
])('%s on entry %d leads to %s', (key, current, expected) => {
  expect(menuTarget(key, entries, current)).toBe(expected);
});

test('an empty menu leads nowhere', () => {
  expect(menuTarget('ArrowDown', [], -1)).toBeUndefined();
});
