import type { LastMinute } from './workers.store.ts';

const MINUTE_MS = 60_000;
/** Beyond this many in a minute every other sample is dropped; percentiles stay close. */
const MAX_SAMPLES = 4_096;

/** How many posts went out in the last minute, and how late. */
export function createLateness(now: () => number) {
  let samples: { at: number; ms: number }[] = [];
  let times: number[] = [];

  return {
    /** Null for one that has no time to be late for. */
    add(ms: number | null): void {
      times.push(now());
      if (ms === null) return;
      samples.push({ at: now(), ms });
      if (samples.length > MAX_SAMPLES) samples = samples.filter((_, index) => index % 2 === 0);
    },
    lastMinute(): LastMinute {
      const from = now() - MINUTE_MS;
      times = times.filter((at) => at >= from);
      samples = samples.filter(({ at }) => at >= from);
      const sorted = samples.map(({ ms }) => ms).toSorted((a, b) => a - b);
      const share = (part: number) => Math.round(sorted[Math.ceil(sorted.length * part) - 1] ?? 0);
      const latenessMs =
        sorted.length === 0
          ? null
          : { p50: share(0.5), p95: share(0.95), p99: share(0.99), max: share(1) };
      return { published: times.length, latenessMs };
    },
  };
}
