import { describe, expect, it } from 'vitest';
import { sharedTurns } from './shared-turns.ts';

describe('sharedTurns', () => {
  it('runs one at a time and lets all who come meanwhile share the next', async () => {
    const runs: PromiseWithResolvers<string>[] = [];
    const ask = sharedTurns(() => {
      const run = Promise.withResolvers<string>();
      runs.push(run);
      return run.promise;
    });
    const first = ask();
    await tick();
    const meanwhile = [ask(), ask(), ask()];
    await tick();
    expect(runs).toHaveLength(1);

    runs[0]?.resolve('one');
    expect(await first).toBe('one');
    await tick();
    expect(runs).toHaveLength(2);
    runs[1]?.resolve('two');
    expect(await Promise.all(meanwhile)).toEqual(['two', 'two', 'two']);
    expect(runs).toHaveLength(2);
  });

  it('goes on after a failure, which reaches only those who shared it', async () => {
    let count = 0;
    const ask = sharedTurns(async () => {
      count += 1;
      if (count === 1) throw new Error('first');
      return count;
    });
    await expect(ask()).rejects.toThrow('first');
    expect(await ask()).toBe(2);
  });
});

function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
