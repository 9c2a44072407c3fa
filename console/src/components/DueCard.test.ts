import { expect, test } from 'vitest';
import { peakOf } from '@meridian/ui/BarChart.tsx';
import { dueSlots, timeAt } from './DueCard.tsx';

const HOUR = { from: new Date('2026-11-16T09:41:30.000Z'), stepMinutes: 1, length: 61 };

test('the hour has every minute, the first and the last in part', () => {
  const minutes = dueSlots([{ at: '2026-11-16T10:00:00.000Z', count: 7 }], HOUR);
  expect(minutes).toHaveLength(61);
  expect(minutes[0]).toEqual({
    at: new Date('2026-11-16T09:41:00.000Z'),
    to: new Date('2026-11-16T09:42:00.000Z'),
    count: 0,
  });
  expect(minutes[60]?.at.toISOString()).toBe('2026-11-16T10:41:00.000Z');
  expect(minutes.reduce((sum, { count }) => sum + count, 0)).toBe(7);
});

test('a day has quarters of an hour', () => {
  const day = { ...HOUR, stepMinutes: 15, length: 96 };
  const quarters = dueSlots([{ at: '2026-11-16T09:45:00.000Z', count: 2 }], day);
  expect(quarters[0]?.at.toISOString()).toBe('2026-11-16T09:30:00.000Z');
  expect(quarters[1]?.count).toBe(2);
  expect(quarters[95]?.to.toISOString()).toBe('2026-11-17T09:30:00.000Z');
});

test('the peak is the first of the busiest', () => {
  const due = ['09:50', '10:00', '10:10'].map((time, index) => ({
    at: `2026-11-16T${time}:00.000Z`,
    count: index === 0 ? 2 : 5,
  }));
  const bars = dueSlots(due, HOUR).map(({ at, count: value }) => ({ at, value }));
  expect(peakOf(bars)?.at.toISOString()).toBe('2026-11-16T10:00:00.000Z');
  expect(peakOf([{ value: 0 }])).toBeUndefined();
});

test.each([
  [{ ...HOUR, length: 60 }, ['09:41', '09:56', '10:11', '10:26', '10:41']],
  [{ ...HOUR, stepMinutes: 15, length: 96 }, ['09:30', '15:30', '21:30', '03:30', '09:30']],
])('the ticks of the axis are equally far apart: %o', (span, times) => {
  const slots = dueSlots([], span);
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => timeAt(slots, share).toISOString());
  expect(ticks.map((tick) => tick.slice(11, 16))).toEqual(times);
});
