import type { EngineState } from '@meridian/contract/engine';

const MINUTES = 60;
const MINUTE_MS = 60_000;

export interface Minute {
  at: Date;
  count: number;
}

/** Each of the 60 minutes from `now` on, those without posts included. */
export function minutesOf(due: EngineState['nextHour'], now: Date): Minute[] {
  const counts = new Map(due.map(({ at, count }) => [Date.parse(at), count]));
  const first = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  // The hour begins within a minute and ends within another.
  return Array.from({ length: MINUTES + 1 }, (_, index) => {
    const at = first + index * MINUTE_MS;
    return { at: new Date(at), count: counts.get(at) ?? 0 };
  });
}

/** The first of the busiest minutes; undefined when there is nothing to do. */
export function peakOf(minutes: readonly Minute[]): Minute | undefined {
  const most = Math.max(0, ...minutes.map(({ count }) => count));
  return most === 0 ? undefined : minutes.find(({ count }) => count === most);
}
