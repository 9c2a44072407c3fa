import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClosers, startBackgroundTask } from './background-task.ts';
import { createLog } from './log.ts';

describe('background task', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const INTERVAL_MS = 1_000;

  function startTask(run: (signal: AbortSignal) => Promise<unknown>) {
    const logged: string[] = [];
    const log = createLog('info', { write: (line) => logged.push(line) });
    const task = startBackgroundTask({ name: 'count', intervalMs: INTERVAL_MS, log, run });
    return { task, logged };
  }

  test('runs at its interval until it is stopped', async () => {
    const run = vi.fn<() => Promise<void>>(async () => {});
    const { task } = startTask(run);
    expect(run).toHaveBeenCalledTimes(0);
    await vi.advanceTimersByTimeAsync(3 * INTERVAL_MS);
    expect(run).toHaveBeenCalledTimes(3);
    await task.stop();
    await vi.advanceTimersByTimeAsync(3 * INTERVAL_MS);
    expect(run).toHaveBeenCalledTimes(3);
  });

  test('stopping aborts the current run and waits for it', async () => {
    const signals: AbortSignal[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const { task } = startTask((signal) => {
      signals.push(signal);
      return promise;
    });
    await vi.advanceTimersByTimeAsync(5 * INTERVAL_MS);
    let isStopped = false;
    const stopped = task.stop().then(() => (isStopped = true));
    await vi.advanceTimersByTimeAsync(5 * INTERVAL_MS);
    expect([signals.length, signals[0]?.aborted, isStopped]).toEqual([1, true, false]);
    resolve();
    await stopped;
  });

  test('a failure is logged once until a run succeeds, and retried', async () => {
    const outcomes = [false, false, true, false];
    const { task, logged } = startTask(async () => {
      if (outcomes.shift() === false) throw new Error('no connection');
    });
    await vi.advanceTimersByTimeAsync(2 * INTERVAL_MS);
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain('"task":"count"');
    await vi.advanceTimersByTimeAsync(2 * INTERVAL_MS);
    expect(logged).toHaveLength(2);
    await task.stop();
  });
});

test('closes in reverse order, once, also when one fails', async () => {
  const closers = createClosers();
  const closed: string[] = [];
  closers.add(async () => void closed.push('database'));
  closers.add(() => Promise.reject(new Error('pool')));
  closers.add(async () => void closed.push('server'));
  await expect(closers.closeAll()).rejects.toThrow('pool');
  expect(closed).toEqual(['server', 'database']);
  await closers.closeAll();
  expect(closed).toHaveLength(2);
});
