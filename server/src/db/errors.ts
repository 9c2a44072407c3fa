import { DatabaseError } from 'pg';

/** The database did not answer, or the connection to it broke: nothing is wrong with the request. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database is unavailable', { cause });
    this.name = 'DatabaseUnavailable';
  }
}

/** The server itself refused a statement; its `code` says why. */
export function isServerError(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError;
}

/** A refusal that leaves the connection usable. */
export function leavesConnectionUsable(error: unknown): boolean {
  return isServerError(error) && error.severity !== 'FATAL' && error.severity !== 'PANIC';
}

/** For services that word a broken constraint: `isViolation(error, 'plans_name_key')`. */
export function isViolation(error: unknown, constraint: string): boolean {
  return isServerError(error) && error.constraint === constraint;
}

/** Whatever the driver reports besides the server's refusals and our own mistakes is a broken connection. */
export function driverError(error: unknown): unknown {
  const isOurMistake = error instanceof TypeError || error instanceof RangeError;
  return isServerError(error) || isOurMistake ? error : new DatabaseUnavailable(error);
}
