import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dayOf, hoursOf, nextFreeSlot, sameClock, slotAtOrAfter, slotRange } from './TimeField.tsx';

const at = (text: string) => Date.parse(text);
const iso = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());
const clock = (ms: number) => new Date(ms).getHours();
const WIDE = { earliest: at('2026-01-01T00:00Z'), latest: at('2027-12-31T00:00Z') };

let zone: string | undefined;
beforeEach(() => {
  zone = process.env['TZ'];
});
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test.each([
  ['2026-11-16T10:00:00Z', 10, '2026-11-16T10:00:00.000Z'],
  ['2026-11-16T10:00:00.001Z', 10, '2026-11-16T10:10:00.000Z'],
  ['2026-11-16T10:59:59Z', 15, '2026-11-16T11:00:00.000Z'],
  ['2026-11-16T23:59:30Z', 1, '2026-11-17T00:00:00.000Z'],
])('the slot at or after %s of %d minutes is %s', (from, minutes, slot) => {
  expect(iso(slotAtOrAfter(at(from), minutes))).toBe(slot);
});

test('a slot that begins within seconds is not offered', () => {
  const { earliest } = slotRange(at('2026-11-16T09:59:55Z'), 10, 7);
  expect(iso(earliest)).toBe('2026-11-16T10:10:00.000Z');
});

describe('the next free slot', () => {
  const range = slotRange(at('2026-11-16T09:51:00Z'), 10, 7);
  test('passes over slots with a post, wherever in the slot it stands', () => {
    const taken = [at('2026-11-16T10:00:00Z'), at('2026-11-16T10:13:20Z')];
    expect(iso(nextFreeSlot(range, []))).toBe('2026-11-16T10:00:00.000Z');
    expect(iso(nextFreeSlot(range, taken))).toBe('2026-11-16T10:20:00.000Z');
  });
  test('ends within the days of the plan', () => {
    const short = { ...range, latest: range.earliest + 600_000 };
    const taken = [range.earliest, range.earliest + 600_000];
    expect(nextFreeSlot(short, taken)).toBe(short.latest);
  });
});

describe('the hours of a day', () => {
  test('skip the hour that spring takes', () => {
    process.env['TZ'] = 'Europe/Berlin';
    const hours = hoursOf('2026-03-29', { ...WIDE, minutes: 15 });
    expect(hours).toHaveLength(23);
    expect(hours.map(({ startsAt }) => clock(startsAt))).not.toContain(2);
  });

  test('have the hour that autumn repeats twice', () => {
    process.env['TZ'] = 'Europe/Berlin';
    const hours = hoursOf('2026-10-25', { ...WIDE, minutes: 10 });
    const twice = hours.filter(({ startsAt }) => clock(startsAt) === 2);
    expect(twice.map(({ startsAt }) => iso(startsAt))).toEqual([
      '2026-10-25T00:00:00.000Z',
      '2026-10-25T01:00:00.000Z',
    ]);
    expect(twice.every(({ slots }) => slots.length === 6)).toBe(true);
  });

  test.each([
    ['Australia/Lord_Howe', '2027-04-04', 49, [1, 1]],
    ['Australia/Lord_Howe', '2026-10-04', 47, [1]],
    ['America/New_York', '2026-11-01', 50, [1, 1]],
    ['America/Santiago', '2026-09-06', 46, [1]],
    ['Pacific/Apia', '2027-04-04', 48, [1]],
    ['Asia/Kolkata', '2027-03-28', 48, [1]],
  ])('in %s on %s have %d half hours, and these at one', (zone, day, count, atOne) => {
    process.env['TZ'] = zone;
    const hours = hoursOf(day, { ...WIDE, minutes: 30 });
    const slots = hours.flatMap((hour) => hour.slots);
    expect(slots).toHaveLength(count);
    expect(slots.every((slot) => dayOf(slot) === day)).toBe(true);
    expect(hours.map(({ startsAt }) => clock(startsAt)).filter((hour) => hour === 1)).toEqual(
      atOne,
    );
  });

  test('keep to the slots of the server where the zone is a quarter of an hour off', () => {
    process.env['TZ'] = 'Asia/Kathmandu';
    const [, second] = hoursOf('2026-11-16', { ...WIDE, minutes: 10 });
    expect(second?.slots.map((slot) => new Date(slot).getMinutes())).toEqual([
      5, 15, 25, 35, 45, 55,
    ]);
  });

  test('begin with the earliest slot and end with the latest', () => {
    process.env['TZ'] = 'UTC';
    const range = { earliest: at('2026-11-16T22:10Z'), latest: at('2026-11-16T23:10Z') };
    const hours = hoursOf('2026-11-16', { ...range, minutes: 10 });
    const slots = hours.flatMap((hour) => hour.slots);
    expect(iso(slots[0])).toBe('2026-11-16T22:10:00.000Z');
    expect(iso(slots.at(-1))).toBe('2026-11-16T23:10:00.000Z');
  });
});

test('another day keeps the time on the clock, or the last slot where that is past', () => {
  process.env['TZ'] = 'America/New_York';
  const before = at('2026-11-16T14:20:00Z');
  const next = hoursOf('2026-11-17', { ...WIDE, minutes: 10 });
  expect(iso(sameClock(next, before))).toBe('2026-11-17T14:20:00.000Z');
  const latest = at('2026-11-17T12:00:00Z');
  const last = hoursOf('2026-11-17', { ...WIDE, latest, minutes: 10 });
  expect(sameClock(last, before)).toBe(latest);
  expect(dayOf(at('2026-11-17T03:00:00Z'))).toBe('2026-11-16');
});
