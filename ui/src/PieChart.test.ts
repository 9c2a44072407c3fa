import { expect, test } from 'vitest';
import { pieSlices, pieTones } from './PieChart.tsx';
import { formatPercent } from './format.ts';

test('quarters turn clockwise from the top', () => {
  const { total, slices } = pieSlices([1, 1, 2]);
  expect(total).toBe(4);
  expect(slices.map((slice) => slice.path)).toEqual([
    'M0 0L0 -1A1 1 0 0 1 1 0Z',
    'M0 0L1 0A1 1 0 0 1 0 1Z',
    'M0 0L0 1A1 1 0 0 1 0 -1Z',
  ]);
});

test('more than half takes the long way round', () => {
  expect(pieSlices([3, 1]).slices[0]?.path).toBe('M0 0L0 -1A1 1 0 1 1 -1 0Z');
});

test('everything in one slice is a whole circle, and the empty ones are nothing', () => {
  const { slices } = pieSlices([0, 5, 0]);
  expect(slices.map((slice) => slice.share)).toEqual([0, 1, 0]);
  expect(slices[1]?.path).toContain('M0 -1A1 1 0 1 1 0 1');
  expect(slices[0]?.path).toBe('');
});

test.each([[[]], [[0, 0]], [[-3, Number.NaN]]])('%j has no total', (values) => {
  expect(pieSlices(values).total).toBe(0);
});

test('shares always sum to one', () => {
  const { slices } = pieSlices([151_204, 6_214, 9_127, 17_749, 12]);
  expect(slices.reduce((sum, slice) => sum + slice.share, 0)).toBeCloseTo(1, 12);
});

test('shares are of the given total, and the rest of the circle stays open', () => {
  const { total, slices } = pieSlices([1, 1], 4);
  expect(total).toBe(4);
  expect(slices.map((slice) => slice.share)).toEqual([0.25, 0.25]);
  expect(slices[1]?.path).toBe('M0 0L1 0A1 1 0 0 1 0 1Z');
});

test('a total smaller than its parts still holds every slice once', () => {
  const { slices } = pieSlices([1, 1], 1);
  expect(slices.map((slice) => slice.share)).toEqual([1, 1]);
  expect(slices[1]?.path).toBe('M0 0L0 1A1 1 0 0 1 0 -1Z');
});

test('a given total of 0 is no data', () => {
  expect(pieSlices([1, 1], 0).total).toBe(0);
});

// Proves 2.33
test('percentages have one decimal', () => {
  const { slices } = pieSlices([151_204, 6_214, 9_127, 17_749, 12]);
  expect(slices.map((slice) => formatPercent(slice.share))).toEqual([
    '82.0%',
    '3.4%',
    '5.0%',
    '9.6%',
    '0.0%',
  ]);
});

test('a slice too thin to be seen is drawn wider, and the circle stays whole', () => {
  const { slices } = pieSlices([1_000_000, 1]);
  expect(slices[1]?.share).toBeCloseTo(1e-6);
  const start = slices[1]?.path.match(/^M0 0L(\S+) (\S+)A.* 0 -1Z$/);
  const rimPx = 88 / 1.02;
  expect(Math.hypot(Number(start?.[1]), Number(start?.[2]) + 1) * rimPx).toBeGreaterThan(3.49);
});

test('without colors of their own, slices go round all seven', () => {
  const tones = pieTones(Array.from({ length: 9 }));
  expect(new Set(tones.slice(0, 7)).size).toBe(7);
  expect(tones.slice(7)).toEqual(tones.slice(0, 2));
});

test('a slice keeps its own color, and the others take none that is taken', () => {
  expect(pieTones(['green', undefined, 'blue', undefined])).toEqual([
    'green',
    'amber',
    'blue',
    'violet',
  ]);
});

test('where all seven are taken, the others start again', () => {
  const own = ['blue', 'green', 'amber', 'violet', 'red', 'gray', 'orange'] as const;
  expect(pieTones([...own, undefined, undefined]).slice(7)).toEqual(['blue', 'green']);
});
