import { expect, test } from 'vitest';
import { pieTones } from './pie-tones.ts';

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
