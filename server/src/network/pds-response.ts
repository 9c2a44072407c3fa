import type { IncomingHttpHeaders } from 'node:http';

/** Limits of the network are reset within a day; a later time is a mistake of the host. */
const MAX_WAIT_MS = 24 * 60 * 60 * 1_000;

/** The object that a response body holds; null for anything else. */
export function jsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { ...value } : null;
  } catch {
    return null;
  }
}

/** When a refused call may be repeated: the later of `retry-after` and the reset of the rate limit. */
export function retryTime(status: number, headers: IncomingHttpHeaders, now: number): Date | null {
  const reset = status === 429 ? Number(headers['ratelimit-reset'] ?? Number.NaN) * 1_000 : NaN;
  const times = [reset, retryAfter(headers['retry-after'], now)].filter((time) => time > now);
  return times.length === 0 ? null : new Date(Math.min(Math.max(...times), now + MAX_WAIT_MS));
}

/** Seconds, or a date. */
function retryAfter(value: string | undefined, now: number): number {
  if (value === undefined) return Number.NaN;
  return /^\d+$/.test(value) ? now + Number(value) * 1_000 : Date.parse(value);
}
