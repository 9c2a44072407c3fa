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

/** A write that never left the browser, which was offline: nothing was changed. */
export class NotSentError extends ApiError {}

/**
 * The error of a write: a 4xx is a refusal, everything else leaves the outcome open, unless the
 * browser was offline already before it was to be sent.
 */
export function errorOfWrite(error: unknown, isRepeatable: boolean, wasOffline = false): unknown {
  if (wasOffline && error instanceof ApiError && !error.hasResponse) {
    return new NotSentError(error, error);
  }
  const isLost = error instanceof ApiError && (error.status < 400 || error.status >= 500);
  return isLost ? new UnknownOutcomeError(error, isRepeatable) : error;
}
