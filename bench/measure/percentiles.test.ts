import { describe, expect, test } from 'vitest';
import { quantile, summarise } from './percentiles.ts';

describe('quantile', () => {
  test.each([
    [[7], 0.99, 7],
    [[3, 1, 2], 0.5, 2],
    [[1, 2, 3, 4], 0.5, 2.5],
    [[10, 0], 0.99, 9.9],
    [[5, 1], 0, 1],
    [[5, 1], 1, 5],
  ])('of %j at %d is %d', (samples, share, expected) => {
    expect(quantile(samples, share)).toBeCloseTo(expected);
  });

  test('of nothing is a mistake', () => {
    expect(() => quantile([], 0.5)).toThrow('Nothing was measured');
  });

  test('leaves its samples in their order', () => {
    const samples = [3, 1, 2];
    expect(summarise(samples)).toEqual({ p50: 2, p99: expect.closeTo(2.98), samples: 3 });
    expect(samples).toEqual([3, 1, 2]);
  });
});
