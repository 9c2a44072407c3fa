import { expect, test } from 'vitest';
import { MARKS, resultsOf, verdictOn } from './marks.ts';
import { interleave, quantile } from './measure.ts';

test.each([
  [[7], 0.99, 7],
  [[3, 1, 2], 0.5, 2],
  [[1, 2, 3, 4], 0.5, 2.5],
  [[10, 0], 0.99, 9.9],
  [[5, 1], 0, 1],
  [[5, 1], 1, 5],
])('the quantile of %j at %d is %d', (samples, share, expected) => {
  expect(quantile(samples, share)).toBeCloseTo(expected);
  expect(() => quantile([], share)).toThrow('Nothing was measured');
});

const broken = () => Promise.reject(new Error('refused'));

test('sides take turns, and a side that fails ends the measurement', async () => {
  const order: string[] = [];
  const side = (name: string) => async () => void order.push(name);
  await interleave({ a: side('a'), b: side('b') }, 0, { perRound: 2, warmUp: 1 });
  expect(order.join('')).toBe('abaaabbbbbbaaaaaabbbbbbaaaaaabbb');
  await expect(interleave({ a: side('a'), broken }, 0)).rejects.toThrow('refused');
});

test.each([
  ['one of many', 'list', [1, 1.31, 1.3], 1.31, 1],
  ['a floor', 'burst', [1_667, 1_666, 9_000], 1_666, 1],
  ['one that is no number', 'list', [1, Number.NaN, 2], Number.NaN, 2],
  ['a single post', 'exactlyOnce', [1], 1, 1],
  ['none, at the limit', 'list', [1.3, 1], 1.3, 0],
] as const)('the verdict finds a planted failure: %s', (_, mark, measured, worst, missed) => {
  const other = { mark: 'detail', name: 'another mark', measured: 99 } as const;
  const readings = measured.map((value) => ({ mark, name: String(value), measured: value }));
  const verdict = verdictOn(mark, [other, ...readings]);
  expect(verdict).toMatchObject({ worst: { measured: worst }, missed, of: measured.length });
});

test('the results name every mark, also one that was not measured', () => {
  const text = resultsOf([{ mark: 'list', name: 'by status', measured: 2 }]);
  expect(text).toMatch(/against a bare route +\| ≤ 1\.3× +\| 2× +\| by status \| NOT MET/);
  for (const { what } of Object.values(MARKS)) expect(text).toContain(what);
  expect(text.match(/not measured/g)).toHaveLength(Object.keys(MARKS).length - 1);
});
