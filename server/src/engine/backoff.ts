const SECONDS = [2, 5, 15, 45, 120, 300] as const;
const JITTER = 0.2;

/** How long to wait after this many failures before; `random` is within 0 and 1. */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const seconds = SECONDS[Math.min(Math.max(failures, 0), SECONDS.length - 1)] ?? 300;
  return Math.round(seconds * 1000 * (1 - JITTER + 2 * JITTER * random()));
}
