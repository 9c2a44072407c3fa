import { expect, test } from 'vitest';
import { keptBriefly } from '../overview/overview.ts';

function reader() {
  let nowMs = 0;
  let reads = 0;
  let end: (() => void) | null = null;
  let fail: ((error: Error) => void) | null = null;
  const get = keptBriefly(
    () => {
      reads += 1;
      const mine = reads;
      return new Promise<number>((resolve, reject) => {
        end = () => resolve(mine);
        fail = reject;
      });
    },
    (value) => value * 200,
    () => nowMs,
  );
  return {
    get,
    reads: () => reads,
    pass: (ms: number) => {
      nowMs += ms;
    },
    end: () => end?.(),
    fail: () => fail?.(new Error('No database')),
  };
}

test('what was read is kept as long as it says, from then on', async () => {
  const { get, pass, end, reads } = reader();
  const first = get();
  pass(10);
  end();
  expect(await first).toBe(1);
  pass(199);
  expect(await get()).toBe(1);
  pass(1);
  const second = get();
  end();
  expect(await second).toBe(2);
  expect(reads()).toBe(2);
});

test('callers at one time share one reading, however long it takes', async () => {
  const { get, pass, end, reads } = reader();
  const both = [get(), get()];
  pass(60_000);
  both.push(get());
  end();
  expect(await Promise.all(both)).toEqual([1, 1, 1]);
  expect(reads()).toBe(1);
});

test('a failed reading is told to those who wait, and made again for the next', async () => {
  const { get, fail, end, reads } = reader();
  const first = get();
  fail();
  await expect(first).rejects.toThrow('No database');
  const second = get();
  end();
  expect(await second).toBe(2);
  expect(reads()).toBe(2);
});
