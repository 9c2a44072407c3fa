import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import type { ClientBase } from 'pg';

/** The database did not respond, or the connection to it broke: nothing is wrong with the request. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database is unavailable', { cause });
    this.name = 'DatabaseUnavailable';
  }
}

/** The server refused a statement; its `code` says why. */
export function isServerError(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError;
}

/**
 * Connection, resources, operator intervention, lock not available, read-only replica, I/O error,
 * revoked privilege.
 */
const OUTAGE = /^(?:08|53|57|55P03|25P0[23]|25006|58030|42501)/;

/** The server refuses for now, whatever the statement says. */
export const isOutage = (error: unknown) => isServerError(error) && OUTAGE.test(error.code ?? '');

/** No statement can be carried out for now. */
export const isUnavailable = (error: unknown) =>
  error instanceof DatabaseUnavailable || isOutage(error);

const READ_ONLY = '25006';

/**
 * A refusal that leaves the connection usable. One that was opened while its database could only be
 * read stays so for as long as it is open.
 */
export function leavesConnectionUsable(error: unknown): boolean {
  if (!isServerError(error) || error.code === READ_ONLY) return false;
  return error.severity !== 'FATAL' && error.severity !== 'PANIC';
}

/** `isViolation(error, 'plans_name_key')`, for services that word a broken constraint. */
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
 * An administrator may end the wait of a commit for a synchronous standby: the commit is there then, but a
 * failover would lose it. The server says so in a notice alone, whose text is in its own language.
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

/** A request fails soon; a start may wait, as a machine on which everything starts can be slow for a while. */
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
