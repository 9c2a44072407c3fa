import { createGate } from './gate.ts';
import type { Gate, GateOptions } from './gate.ts';

export type HashGate = Gate;

const DEFAULTS: GateOptions = { atOnce: 2, queue: 16, waitMs: 3_000, keptPlaces: 1 };

/**
 * Password hashes take a core and 19 MiB each: without a bound a flood of logins would take all of
 * both from every other request.
 */
export function createHashGate(options: Partial<GateOptions> = {}): HashGate {
  return createGate({ ...DEFAULTS, ...options });
}
