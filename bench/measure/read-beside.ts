import { setTimeout as delay } from 'node:timers/promises';
import { summarise } from './percentiles.ts';
import type { Summary } from './percentiles.ts';

/** Between two reads, as an administrator's console would send them. */
const PACE_MS = 20;

/** How long a read takes while something else goes on. */
export async function readBeside(
  read: () => Promise<unknown>,
  other: Promise<unknown>,
): Promise<Summary> {
  const over = new AbortController();
  const ended = other.finally(() => over.abort());
  const [times] = await Promise.all([readUntil(read, over), ended]);
  return summarise(times);
}

async function readUntil(read: () => Promise<unknown>, { signal }: AbortController) {
  const times: number[] = [];
  while (!signal.aborted) {
    const startedAt = performance.now();
    await read();
    times.push(performance.now() - startedAt);
    await delay(PACE_MS);
  }
  return times;
}
