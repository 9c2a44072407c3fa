import { expect, test } from 'vitest';
import { minutesOf, peakOf } from './next-hour.ts';

const NOW = new Date('2026-11-16T09:41:30.000Z');

test('the hour has every minute, the first and the last in part', () => {
  const minutes = minutesOf([{ at: '2026-11-16T10:00:00.000Z', count: 7 }], NOW);
  expect(minutes).toHaveLength(61);
  expect(minutes[0]).toEqual({ at: new Date('2026-11-16T09:41:00.000Z'), count: 0 });
  expect(minutes[60]?.at.toISOString()).toBe('2026-11-16T10:41:00.000Z');
  expect(minutes.reduce((sum, { count }) => sum + count, 0)).toBe(7);
});

test('the peak is the first of the busiest minutes', () => {
  const due = ['09:50', '10:00', '10:10'].map((time, index) => ({
    at: `2026-11-16T${time}:00.000Z`,
    count: index === 0 ? 2 : 5,
  }));
  expect(peakOf(minutesOf(due, NOW))?.at.toISOString()).toBe('2026-11-16T10:00:00.000Z');
  expect(peakOf(minutesOf([], NOW))).toBeUndefined();
});
