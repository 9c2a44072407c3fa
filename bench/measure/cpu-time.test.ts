import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { cpuOf, cpuOfFamily, parentOf, threadCpuOf } from './cpu-time.ts';

/** Keeps this thread busy until it has used so much. */
function use(ms: number): void {
  const { user, system } = process.cpuUsage();
  for (;;) {
    const now = process.cpuUsage();
    if (now.user + now.system - user - system > ms * 1000) return;
  }
}

test.skipIf(process.platform !== 'linux')(
  'CPU time of a process and its ended children',
  { timeout: 120_000 },
  async () => {
    const { pid, ppid } = process;
    expect(await parentOf(pid)).toBe(ppid);
    const before = {
      own: await cpuOf(pid),
      family: await cpuOfFamily(pid),
      thread: await threadCpuOf(pid),
    };
    use(50);
    spawnSync(process.execPath, ['-e', '']);
    const own = (await cpuOf(pid)) - before.own;
    // The kernel counts in ticks, and other threads add to it.
    expect(own).toBeGreaterThanOrEqual(30);
    expect((await cpuOfFamily(pid)) - before.family).toBeGreaterThanOrEqual(own + 10);
    expect(await threadCpuOf(pid)).toBeGreaterThanOrEqual(before.thread);
    await expect(cpuOf(2 ** 30)).rejects.toThrow('No CPU time');
  },
);
