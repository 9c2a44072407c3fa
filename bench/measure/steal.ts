import { readFile } from 'node:fs/promises';

/** Of /proc/stat, in ticks: the ninth word of its first line is what the host took from this machine. */
export async function readTicks(): Promise<{ stolen: number; all: number } | null> {
  const text = await readFile('/proc/stat', 'utf8').catch(() => null);
  const ticks = /^cpu +(.+)$/m
    .exec(text ?? '')?.[1]
    ?.split(' ')
    .map(Number);
  if (ticks === undefined) return null;
  return { stolen: ticks[7] ?? 0, all: ticks.reduce((sum, each) => sum + each, 0) };
}

/** What share of the processors' time the host took since; null where the system does not say. */
export async function stolenSince(before: Awaited<ReturnType<typeof readTicks>>) {
  const now = await readTicks();
  return before && now && (now.stolen - before.stolen) / (now.all - before.all);
}
