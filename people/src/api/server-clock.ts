/** A slow response looks like a clock that is off by as much. */
const TOLERANCE_MS = 30_000;

let behindMs = 0;

/** From the `Date` of a response: slots are those of the server's clock, and this one may be wrong. */
export function noteServerTime(date: string | null): void {
  const differenceMs = Date.parse(date ?? '') - Date.now();
  behindMs = Math.abs(differenceMs) > TOLERANCE_MS ? differenceMs : 0;
}

/** The server's time, as far as it is known. */
export function serverNow(): number {
  return Date.now() + behindMs;
}
