import { afterEach, expect, test } from 'vitest';
import { nextOrder } from './DataTable.tsx';
import { rowsInSight } from './PagedList.tsx';
import { dayOf, instantOf } from './filters.tsx';

test.each([
  ['status', 'desc', 'status', 'asc'],
  ['status', 'asc', 'status', 'desc'],
  ['status', 'asc', 'created_at', 'desc'],
  ['status', 'desc', 'created_at', 'desc'],
] as const)('sorted by %s %s, a press on %s means %s', (column, order, pressed, expected) => {
  const sort = { column, order, onSort: () => {} };
  expect(nextOrder<'status' | 'created_at'>(sort, pressed)).toBe(expected);
});

test.each(['0202-03-04', '2026-02-28', '2026-11-16', '2028-02-29', '2026-03-29', '2026-10-25'])(
  'the whole of %s, and back',
  (day) => {
    const from = instantOf(day, 'start');
    const to = instantOf(day, 'end');
    expect([dayOf(from, 'start'), dayOf(to, 'end')]).toEqual([day, day]);
    expect(new Date(from).getHours()).toBe(0);
    expect(new Date(to).getHours()).toBe(0);
    expect(from < to).toBe(true);
  },
);

const zone = process.env['TZ'];
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test.each([
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z'],
  ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
])('where the clock is set at midnight: %s, %s', (name, day, from, to) => {
  process.env['TZ'] = name;
  expect([instantOf(day, 'start'), instantOf(day, 'end')]).toEqual([from, to]);
  expect([dayOf(from, 'start'), dayOf(to, 'end')]).toEqual([day, day]);
});

test('anything else is no day', () => {
  expect([instantOf('', 'start'), instantOf('2026-1', 'end')]).toEqual(['', '']);
  expect([dayOf('', 'start'), dayOf('soon', 'end')]).toEqual(['', '']);
});

test.each([
  [1440, 900, 12],
  [2560, 1440, 22],
  [768, 1024, 8],
  [360, 740, 5],
  [1440, 190, 1],
  [0, 0, 1],
])('a window of %d by %d px shows at most %d rows', (width, height, count) => {
  expect(rowsInSight(width, height)).toBe(count);
});
