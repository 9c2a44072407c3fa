import { expect, test } from 'vitest';
import { createOneByOne } from './one-by-one.ts';

test('a task waits for the one before it, also when that fails', async () => {
  const oneByOne = createOneByOne();
  const { promise: finished, reject: fail } = Promise.withResolvers<void>();
  const begun: number[] = [];
  const first = oneByOne(async () => {
    begun.push(1);
    await finished;
  });
  const second = oneByOne(async () => begun.push(2));
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual([1]);
  fail(new Error('refused'));
  await expect(first).rejects.toThrow('refused');
  expect(await second).toBe(2);
});
