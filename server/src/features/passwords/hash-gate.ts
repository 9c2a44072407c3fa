import { createConcurrencyLimit } from '../../http/concurrency-limit.ts';
import type { ConcurrencyLimit } from '../../http/concurrency-limit.ts';

/** A hash takes a core and 19 MiB: without a limit a flood of sign-ins would starve every other request. */
const LIMIT = { atOnce: 2, queue: 16, waitMs: 3_000, reserved: 1 };

export type HashGate = ConcurrencyLimit;

export function createHashGate(): HashGate {
  return createConcurrencyLimit(LIMIT);
}
