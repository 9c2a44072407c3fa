import * as z from 'zod/mini';

/** In code points, as PostgreSQL and JSON Schema count, and not in the UTF-16 units of JavaScript. */
export function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** Registered as well, since the documentation cannot read it from the check. */
export function atMost(max: number, error: string) {
  return z.refine<string>((value) => lengthOf(value) <= max, { error });
}
