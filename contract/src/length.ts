import * as z from 'zod/mini';

export function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** The documentation cannot read a bound from the check, so it is registered as well. */
export function atMost(max: number, error: string) {
  return z.refine<string>((value) => lengthOf(value) <= max, { error });
}
