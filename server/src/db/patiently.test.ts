import { expect, test, vi } from 'vitest';
import { DatabaseUnavailable, patiently } from './errors.ts';

const slow = new DatabaseUnavailable(new Error('timeout'));

test('a step is repeated until the database answers', async () => {
  const step = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(slow)
    .mockRejectedValueOnce(slow);
  step.mockResolvedValueOnce('there');
  expect(await patiently(step, { pauseMs: 0 })).toBe('there');
  expect(step).toHaveBeenCalledTimes(3);
});

test('a database that never answers ends the start', async () => {
  const step = vi.fn<() => Promise<string>>().mockRejectedValue(slow);
  await expect(patiently(step, { patienceMs: 20, pauseMs: 1 })).rejects.toBe(slow);
});

test('any other error ends it at once', async () => {
  const step = vi.fn<() => Promise<string>>().mockRejectedValue(new Error('wrong'));
  await expect(patiently(step, { pauseMs: 0 })).rejects.toThrow('wrong');
  expect(step).toHaveBeenCalledTimes(1);
});
