import { expect, test, vi } from 'vitest';
import { keptWhile } from './failures.ts';

test('is made once for each version, and once for all who ask at the same time', async () => {
  let version = 'a';
  const make = vi.fn<() => Promise<object>>(() => Promise.resolve({}));
  const read = keptWhile(() => Promise.resolve(version), make);
  const [first, second] = await Promise.all([read(), read()]);
  expect(second).toBe(first);
  expect(await read()).toBe(first);
  expect(make).toHaveBeenCalledTimes(1);

  version = 'b';
  expect(await read()).not.toBe(first);
  expect(make).toHaveBeenCalledTimes(2);
});

test('a failure is told and not kept', async () => {
  const make = vi.fn<() => Promise<string>>(() => Promise.resolve('made'));
  make.mockRejectedValueOnce(new Error('gone'));
  const read = keptWhile(() => Promise.resolve('a'), make);
  await expect(Promise.all([read(), read()])).rejects.toThrow('gone');
  expect(make).toHaveBeenCalledTimes(1);
  await expect(read()).resolves.toBe('made');
});
