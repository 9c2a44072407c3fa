import { describe, expect, test } from 'vitest';
import { createConcurrencyLimit } from './limits.ts';
import type { ConcurrencyLimitOptions } from './limits.ts';

/** Work that ends when the test says so. */
function piece() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const state = { hasStarted: false, finish: resolve };
  const run = async () => {
    state.hasStarted = true;
    await promise;
  };
  return Object.assign(state, { run });
}

const limitOf = (options: Partial<ConcurrencyLimitOptions>) =>
  createConcurrencyLimit({ atOnce: 1, queue: 16, waitMs: 3_000, ...options });

describe('a concurrency limit', () => {
  test('runs so many at once, and the next in order of arrival', async () => {
    const limit = limitOf({ atOnce: 2 });
    const [first, second, third, fourth] = [piece(), piece(), piece(), piece()];
    const all = [first, second, third, fourth].map((one) => limit.run(one.run));
    await Promise.resolve();
    expect([first, second, third, fourth].map((one) => one.hasStarted)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    second.finish();
    await all[1];
    await new Promise(setImmediate);
    expect([third.hasStarted, fourth.hasStarted]).toEqual([true, false]);
    for (const one of [first, third, fourth]) one.finish();
    await Promise.all(all);
  });

  test('refuses at once when the queue is full', async () => {
    const limit = limitOf({ queue: 1 });
    const [running, waiting] = [piece(), piece()];
    const accepted = [limit.run(running.run), limit.run(waiting.run)];
    await expect(limit.run(async () => {})).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 5,
    });
    running.finish();
    waiting.finish();
    await Promise.all(accepted);
    await expect(limit.run(async () => 'again')).resolves.toBe('again');
  });

  test('reserves places in the queue for known clients', async () => {
    const limit = limitOf({ queue: 1, reserved: 1 });
    const pieces = [piece(), piece(), piece()] as const;
    const accepted = [
      limit.run(pieces[0].run),
      limit.run(pieces[1].run),
      limit.run(pieces[2].run, { isKnown: true }),
    ];
    for (const isKnown of [false, true]) {
      await expect(limit.run(async () => {}, { isKnown })).rejects.toMatchObject({
        code: 'unavailable',
      });
    }
    for (const one of pieces) one.finish();
    await Promise.all(accepted);
    expect(pieces[2].hasStarted).toBe(true);
  });

  test('serves known clients first, in order of arrival', async () => {
    const limit = limitOf({ reserved: 2 });
    const order: string[] = [];
    const running = piece();
    const first = limit.run(running.run);
    const arrivals = [
      ['unknown', false],
      ['known', true],
      ['second unknown', false],
      ['second known', true],
    ] as const;
    const all = arrivals.map(([client, isKnown]) =>
      limit.run(async () => order.push(client), { isKnown }),
    );
    running.finish();
    await Promise.all([first, ...all]);
    expect(order).toEqual(['known', 'second known', 'unknown', 'second unknown']);
  });

  test('refuses work that waited too long, and keeps the slot of the others', async () => {
    const limit = limitOf({ waitMs: 1 });
    const running = piece();
    const accepted = limit.run(running.run);
    await expect(limit.run(async () => {})).rejects.toMatchObject({ code: 'unavailable' });
    running.finish();
    await accepted;
    await expect(limit.run(async () => 'again')).resolves.toBe('again');
  });

  test('frees the slot when the work fails', async () => {
    const limit = limitOf({});
    await expect(limit.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(limit.run(async () => 1)).resolves.toBe(1);
  });
});
