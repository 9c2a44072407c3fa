const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** 'just now', '12 s ago', '3 min ago', '2 h ago'. */
export function ageText(ms: number): string {
  if (ms < 1_000) return 'just now';
  if (ms < MINUTE_MS) return `${Math.floor(ms / 1_000)} s ago`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ago`;
  return `${Math.floor(ms / HOUR_MS)} h ago`;
}
