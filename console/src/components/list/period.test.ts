import { expect, test } from 'vitest';
import { dayOf, instantOf } from './period.ts';

test.each(['2026-02-28', '2026-11-16', '2028-02-29', '2026-03-29', '2026-10-25'])(
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

test('anything else is no day', () => {
  expect([instantOf('', 'start'), instantOf('2026-1', 'end')]).toEqual(['', '']);
  expect([dayOf('', 'start'), dayOf('soon', 'end')]).toEqual(['', '']);
});
