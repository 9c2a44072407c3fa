export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function iso(at: number): string {
  return new Date(at).toISOString();
}

export function startOfDay(at: number): number {
  return Math.floor(at / DAY) * DAY;
}
