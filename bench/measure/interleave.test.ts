import { expect, test } from 'vitest';
import { interleave } from './interleave.ts';

test('takes turns, and counts only what comes after the warm-up', async () => {
  const seen: string[] = [];
  const side = (name: string) => async () => seen.push(name);
  const pace = { budgetMs: 20, perRound: 2, warmUp: 1 };
  const { a, b } = await interleave({ a: side('a'), b: side('b') }, pace);
  expect(a.samples).toBe(b.samples);
  expect(seen.length).toBe(2 + 3 * (a.samples / 2 + b.samples / 2));
  expect(seen.slice(0, 14).join('')).toBe('abaaabbbbbbaaa');
});

test('a slow side gets one round at least', async () => {
  const { slow } = await interleave(
    { slow: () => new Promise((resolve) => setTimeout(resolve, 5)) },
    { budgetMs: 1, perRound: 2, warmUp: 0 },
  );
  expect(slow.samples).toBe(2);
});

const broken = () => Promise.reject(new Error('refused'));

test('a side that fails ends the measurement', async () => {
  const pace = { budgetMs: 0, perRound: 1, warmUp: 1 };
  await expect(interleave({ broken }, pace)).rejects.toThrow('refused');
});
