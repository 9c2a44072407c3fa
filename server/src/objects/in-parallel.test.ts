import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inParallel } from './objects.ts';

it('runs at most so many at once, and all of them', async () => {
  let underWay = 0;
  let most = 0;
  const done: number[] = [];
  await inParallel([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 4, async (item) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await turn();
    underWay -= 1;
    done.push(item);
  });
  expect(most).toBe(4);
  expect(done.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

it('after a failure starts nothing new, and throws when what runs has ended', async () => {
  const started: number[] = [];
  const ended: number[] = [];
  const work = inParallel([1, 2, 3, 4, 5, 6], 2, async (item) => {
    started.push(item);
    if (item === 1) throw new Error('first');
    await turn();
    await turn();
    ended.push(item);
  });
  await expect(work).rejects.toThrow('first');
  expect(started).toEqual([1, 2]);
  expect(ended).toEqual([2]);
});
