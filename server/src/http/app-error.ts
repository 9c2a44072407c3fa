import { ERRORS } from '@meridian/contract/errors';
import type { ErrorBody, ErrorCode } from '@meridian/contract/errors';

export type Issue = NonNullable<ErrorBody['issues']>[number];

export type AppErrorOptions = {
  /** Instead of the catalogue's sentence; shown to people as it stands. */
  message?: string;
  issues?: Issue[];
  retryAfterSeconds?: number;
  /** What really happened: for the log, never for the answer. */
  cause?: unknown;
};

/** An answer of the error catalogue, thrown: `throw new AppError('user_not_found')`. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly issues: Issue[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = ERRORS[code].status;
    this.issues = options.issues;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A refusal of one field, in the shape that validation itself uses. */
export function invalidField(path: string, message: string): AppError {
  return new AppError('invalid_input', { message, issues: [{ path, message }] });
}
