import { expect, test } from 'vitest';
import { createBatcher, createOneByOne } from './batch.ts';
import type { Locked } from './batch.ts';

const doubled = (items: number[]) => new Map(items.map((item) => [item, item * 2]));

test('items added while a batch runs form the next one', async () => {
  const batches: number[][] = [];
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const add = createBatcher(
    async (items: number[]) => {
      batches.push(items);
      if (batches.length === 1) await finished;
      return doubled(items);
    },
    { maxItems: 2 },
  );
  const first = [add(1), add(2)];
  await new Promise((resolve) => setImmediate(resolve));
  const second = [3, 4, 5].map((item) => add(item));
  finish();
  expect(await Promise.all([...first, ...second])).toEqual([2, 4, 6, 8, 10]);
  expect(batches).toEqual([[1, 2], [3, 4], [5]]);
});

test('items added within the gap after a batch form the next one', async () => {
  const batches: number[][] = [];
  const add = createBatcher(
    async (items: number[]) => {
      batches.push(items);
      return doubled(items);
    },
    { gapMs: () => 20 },
  );
  await add(1);
  await Promise.all([add(2), new Promise((resolve) => setImmediate(resolve)).then(() => add(3))]);
  expect(batches).toEqual([[1], [2, 3]]);
});

test('an item that cannot be sent to the database fails by itself', async () => {
  const add = createBatcher(async (items: number[]) => {
    if (items.includes(2)) throw new RangeError('Invalid string length');
    return doubled(items);
  });
  const results = await Promise.allSettled([1, 2, 3].map((item) => add(item)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a failed batch fails its own items only', async () => {
  const add = createBatcher(
    async (items: number[]) => {
      if (items.includes(1)) throw new Error('refused');
      return doubled(items);
    },
    { maxItems: 1 },
  );
  const results = await Promise.allSettled([add(1), add(2)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

test('a locked item keeps no other waiting, and is run by itself until its lock is gone', async () => {
  const lock = Promise.withResolvers<void>();
  const add = createBatcher(async (items: string[], locked: Locked) => {
    if (locked === 'wait') await lock.promise;
    const done = items.filter((item) => item !== (locked === 'skip' ? 'locked' : 'absent'));
    return new Map(done.filter((item) => item !== 'absent').map((item) => [item, true]));
  });
  const later = Promise.all([add('locked'), add('absent')]);
  expect(await add('free')).toBe(true);
  expect(await add('free')).toBe(true);
  lock.resolve();
  expect(await later).toEqual([true, undefined]);
});

test('an item that fails by itself rejects, and only that', async () => {
  const add = createBatcher(async (items: string[], locked: Locked) => {
    if (locked === 'wait') throw new Error('Timed out');
    return new Map(items.filter((item) => item !== 'locked').map((item) => [item, true]));
  });
  const [locked, free] = await Promise.allSettled([add('locked'), add('free')]);
  expect([locked.status, free.status]).toEqual(['rejected', 'fulfilled']);
});

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
