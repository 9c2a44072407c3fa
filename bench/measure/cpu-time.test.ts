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
    const own = await cpuOf(pid);
    const thread = await threadCpuOf(pid);
    use(50);
    // The kernel counts in ticks, and other threads add to it.
    expect((await cpuOf(pid)) - own).toBeGreaterThanOrEqual(30);
    expect(await threadCpuOf(pid)).toBeGreaterThanOrEqual(thread);

    const family = await cpuOfFamily(pid);
    spawnSync(process.execPath, ['-e', 'while (process.cpuUsage().user < 200_000);']);
    expect((await cpuOfFamily(pid)) - family).toBeGreaterThanOrEqual(150);
    await expect(cpuOf(2 ** 30)).rejects.toThrow('No CPU time');
  },
);
