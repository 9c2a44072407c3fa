import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import type { ClientBase } from 'pg';

/** The request is not at fault: the database did not respond, or the connection to it broke. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database is unavailable', { cause });
    this.name = 'DatabaseUnavailable';
  }
}

export function isServerError(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError;
}

/** The codes are connection, resources, intervention, lock, read-only, I/O error and revoked privilege. */
const OUTAGE = /^(?:08|53|57|55P03|25P0[23]|25006|58030|42501)/;

export const isOutage = (error: unknown) => isServerError(error) && OUTAGE.test(error.code ?? '');

export const isUnavailable = (error: unknown) =>
  error instanceof DatabaseUnavailable || isOutage(error);

const READ_ONLY = '25006';

/** A connection opened while its database was read-only stays so for as long as it is open. */
export function leavesConnectionUsable(error: unknown): boolean {
  if (!isServerError(error) || error.code === READ_ONLY) return false;
  return error.severity !== 'FATAL' && error.severity !== 'PANIC';
}

export function isViolation(error: unknown, constraint: string): boolean {
  return isServerError(error) && error.constraint === constraint;
}

/** Whatever the driver reports besides the server's refusals and our own mistakes is a broken connection. */
export function driverError(error: unknown): unknown {
  const isOurMistake = error instanceof TypeError || error instanceof RangeError;
  return isServerError(error) || isOurMistake ? error : new DatabaseUnavailable(error);
}

const unconfirmed = new WeakSet<ClientBase>();

/**
 * A commit whose wait for a synchronous standby was ended is there, but a failover would lose it.
 * The server says so in a notice alone, whose text is in its own language.
 */
export function watchCommits(client: ClientBase): void {
  client.on('notice', ({ routine }) => {
    if (routine === 'SyncRepWaitForLSN') unconfirmed.add(client);
  });
}

/** The effect of such a statement is as unknown as after a broken connection. */
export function requireConfirmed(client: ClientBase): void {
  if (!unconfirmed.delete(client)) return;
  throw new DatabaseUnavailable(new Error('No standby has confirmed the commit'));
}

/** A start may wait, as a machine on which everything starts can be slow for a while. */
export async function patiently<T>(
  step: () => Promise<T>,
  { patienceMs = 30_000, pauseMs = 500 } = {},
): Promise<T> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || performance.now() >= until) throw error;
    }
    await delay(pauseMs);
  }
}
