import { expect, test } from 'vitest';
import { nextOrder } from './column.ts';

test.each([
  ['status', 'desc', 'status', 'asc'],
  ['status', 'asc', 'status', 'desc'],
  ['status', 'asc', 'created_at', 'desc'],
  ['status', 'desc', 'created_at', 'desc'],
] as const)('sorted by %s %s, a press on %s means %s', (column, order, pressed, expected) => {
  const sort = { column, order, onSort: () => {} };
  expect(nextOrder<'status' | 'created_at'>(sort, pressed)).toBe(expected);
});
