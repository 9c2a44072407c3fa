import { expect, test } from 'vitest';
import { createBatcher } from './batcher.ts';

test('items added while a batch runs form the next one', async () => {
  const batches: number[][] = [];
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const batcher = createBatcher(
    async (items: number[]) => {
      batches.push(items);
      if (batches.length === 1) await finished;
      return (item) => item * 2;
    },
    { maxItems: 2 },
  );
  const first = [batcher.add(1), batcher.add(2)];
  await new Promise((resolve) => setImmediate(resolve));
  const second = [3, 4, 5].map((item) => batcher.add(item));
  finish();
  expect(await Promise.all([...first, ...second])).toEqual([2, 4, 6, 8, 10]);
  expect(batches).toEqual([[1, 2], [3, 4], [5]]);
});

test('an item that cannot be sent to the database fails by itself', async () => {
  const batcher = createBatcher(async (items: number[]) => {
    if (items.includes(2)) throw new RangeError('Invalid string length');
    return (done) => done;
  });
  const results = await Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a failed batch fails its own items only', async () => {
  const batcher = createBatcher(
    async ([item]: number[]) => {
      if (item === 1) throw new Error('refused');
      return (done) => done;
    },
    { maxItems: 1 },
  );
  const results = await Promise.allSettled([batcher.add(1), batcher.add(2)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});
