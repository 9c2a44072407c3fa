import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseUnavailable } from './errors.ts';

const PATIENCE_MS = 30_000;
const PAUSE_MS = 500;

/**
 * For the steps of a start. A request is told soon that the database does not answer; a start may
 * wait, as a machine on which everything starts at once can be slow for a while.
 */
export async function patiently<T>(
  step: () => Promise<T>,
  { patienceMs = PATIENCE_MS, pauseMs = PAUSE_MS } = {},
): Promise<T> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || performance.now() >= until) throw error;
    }
    await delay(pauseMs);
  }
}
