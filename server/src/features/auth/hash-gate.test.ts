import { describe, expect, test } from 'vitest';
import { createHashGate } from './hash-gate.ts';

/** Work whose end the test decides. */
function piece() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const state = { hasStarted: false, finish: resolve };
  const run = async () => {
    state.hasStarted = true;
    await promise;
  };
  return Object.assign(state, { run });
}

describe('the hash gate', () => {
  test('lets only so many run, and the next in order of arrival', async () => {
    const gate = createHashGate({ atOnce: 2 });
    const [first, second, third, fourth] = [piece(), piece(), piece(), piece()];
    const all = [first, second, third, fourth].map((one) => gate.run(one.run));
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
    const gate = createHashGate({ atOnce: 1, queue: 1 });
    const [running, waiting] = [piece(), piece()];
    const accepted = [gate.run(running.run), gate.run(waiting.run)];
    await expect(gate.run(async () => {})).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 5,
    });
    running.finish();
    waiting.finish();
    await Promise.all(accepted);
    await expect(gate.run(async () => 'again')).resolves.toBe('again');
  });

  test('keeps one more place for who is known', async () => {
    const gate = createHashGate({ atOnce: 1, queue: 1 });
    const pieces = [piece(), piece(), piece()] as const;
    const accepted = [
      gate.run(pieces[0].run),
      gate.run(pieces[1].run),
      gate.run(pieces[2].run, { isKnown: true }),
    ];
    for (const isKnown of [false, true]) {
      await expect(gate.run(async () => {}, { isKnown })).rejects.toMatchObject({
        code: 'unavailable',
      });
    }
    for (const one of pieces) one.finish();
    await Promise.all(accepted);
    expect(pieces[2].hasStarted).toBe(true);
  });

  test('lets who is known in first, in order of arrival', async () => {
    const gate = createHashGate({ atOnce: 1, keptPlaces: 2 });
    const order: string[] = [];
    const running = piece();
    const first = gate.run(running.run);
    const arrivals = [
      ['stranger', false],
      ['known', true],
      ['other stranger', false],
      ['other known', true],
    ] as const;
    const all = arrivals.map(([who, isKnown]) =>
      gate.run(async () => order.push(who), { isKnown }),
    );
    running.finish();
    await Promise.all([first, ...all]);
    expect(order).toEqual(['known', 'other known', 'stranger', 'other stranger']);
  });

  test('refuses who waited too long, and keeps the place of the others', async () => {
    const gate = createHashGate({ atOnce: 1, waitMs: 1 });
    const running = piece();
    const accepted = gate.run(running.run);
    await expect(gate.run(async () => {})).rejects.toMatchObject({ code: 'unavailable' });
    running.finish();
    await accepted;
    await expect(gate.run(async () => 'again')).resolves.toBe('again');
  });

  test('gives the place back when the work fails', async () => {
    const gate = createHashGate({ atOnce: 1 });
    await expect(gate.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(gate.run(async () => 1)).resolves.toBe(1);
  });
});
