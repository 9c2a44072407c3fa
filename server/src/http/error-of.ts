import { DatabaseUnavailable, isOutage, isServerError } from '../db/errors.ts';
import { AppError } from './app-error.ts';

const RETRY_AFTER_SECONDS = 2;

/** Fastify's own refusals, in the words of the catalogue. */
const FRAMEWORK: Record<string, () => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new AppError('body_too_large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new AppError('unsupported_media_type'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new AppError('malformed_json'),
  FST_ERR_BAD_URL: () => new AppError('not_found'),
  FST_ERR_MAX_PARAM_LENGTH: () => new AppError('not_found'),
};

/** Anything thrown while a request is handled as an error of the catalogue, the original as its cause. */
export function errorOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof DatabaseUnavailable) return unavailable(error);
  if (isServerError(error)) return ofDatabase(error.code ?? '', error);
  const known = FRAMEWORK[codeOf(error)];
  if (known !== undefined) return known();
  return isClientFault(error)
    ? new AppError('invalid_input', { cause: error })
    : new AppError('internal', { cause: error });
}

/**
 * Refusals of the database that no service worded. A broken constraint means that validation let
 * something through, so the cause is logged as an error even though the client gets a 4xx.
 */
function ofDatabase(code: string, cause: unknown): AppError {
  if (code === '40001' || code === '40P01' || code === '23505') {
    return new AppError('conflict', { cause });
  }
  if (code.startsWith('23') || code.startsWith('22')) {
    return new AppError('invalid_input', { cause });
  }
  return isOutage(cause) ? unavailable(cause) : new AppError('internal', { cause });
}

function unavailable(cause?: unknown): AppError {
  return new AppError('unavailable', { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** The machine word of a thrown error; empty when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

function isClientFault(error: unknown): boolean {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500;
}
