import { ApiError } from './api-error.ts';

/** A write whose response was lost (timeout, 5xx, cut connection): it may have been made or not. */
export class UnknownOutcomeError extends ApiError {
  /** The server makes the same request once, however often it arrives. */
  readonly isRepeatable: boolean;

  constructor(lost: ApiError, isRepeatable: boolean) {
    super(lost, lost);
    this.isRepeatable = isRepeatable;
  }
}

/** The error of a write: a 4xx is a refusal, everything else leaves the outcome open. */
export function errorOfWrite(error: unknown, isRepeatable: boolean): unknown {
  const isLost = error instanceof ApiError && (error.status < 400 || error.status >= 500);
  return isLost ? new UnknownOutcomeError(error, isRepeatable) : error;
}
