import { expect, test } from 'vitest';
import { createRandom, lottery } from './random.ts';

function draw(seed: string): number[] {
  const random = createRandom(seed);
  return Array.from({ length: 50 }, () => random.unit());
}

test('the same seed gives the same numbers, another seed others', () => {
  expect(draw('one')).toEqual(draw('one'));
  expect(draw('one')).not.toEqual(draw('two'));
  expect(draw('one').every((number) => number >= 0 && number < 1)).toBe(true);
});

test('whole numbers reach both ends and nothing beyond', () => {
  const random = createRandom('ends');
  const drawn = new Set(Array.from({ length: 500 }, () => random.int(3, 6)));
  expect(drawn).toEqual(new Set([3, 4, 5, 6]));
});

test('a lottery gives each value its share', () => {
  const draw = lottery([
    ['never', 0],
    ['rare', 1],
    ['common', 9],
  ]);
  expect([0, 0.05, 0.0999].map(draw)).toEqual(['rare', 'rare', 'rare']);
  expect([0.1, 0.5, 0.9999].map(draw)).toEqual(['common', 'common', 'common']);
});

test('shuffling keeps every element', () => {
  const list = Array.from({ length: 100 }, (_, index) => index);
  const shuffled = createRandom('cards').shuffled(list);
  expect(shuffled).not.toEqual(list);
  expect(shuffled.toSorted((a, b) => a - b)).toEqual(list);
});
