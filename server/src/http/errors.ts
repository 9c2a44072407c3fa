import { ERRORS } from '@meridian/contract/errors';
import type { ErrorBody, ErrorCode } from '@meridian/contract/errors';
import { errorCode } from '@meridian/embedded-postgres/folders';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { DatabaseUnavailable, isOutage, isServerError } from '../db/errors.ts';

export type Issue = NonNullable<ErrorBody['issues']>[number];

type AppErrorOptions = {
  message?: string;
  issues?: Issue[];
  retryAfterSeconds?: number;
  /** The cause is for the log, never for the response. */
  cause?: unknown;
};

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

export function invalidField(path: string, message: string): AppError {
  return new AppError('invalid_input', { message, issues: [{ path, message }] });
}

export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  app.setNotFoundHandler(() => {
    throw new AppError('not_found');
  });
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = errorOf(error);
  const { status, code, message, issues, retryAfterSeconds, cause } = refusal;
  if (cause !== undefined || status === 500) {
    const level = status === 503 ? 'warn' : 'error';
    request.log[level]({ err: cause ?? refusal, code }, 'Request failed');
  }
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  const requestId = request.id;
  const body: ErrorBody = { message, code, requestId, ...(issues !== undefined && { issues }) };
  return reply.code(status).type('application/json; charset=utf-8').send(body);
}

const FRAMEWORK: Record<string, () => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new AppError('body_too_large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new AppError('unsupported_media_type'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new AppError('malformed_json'),
  FST_ERR_BAD_URL: () => new AppError('not_found'),
  FST_ERR_MAX_PARAM_LENGTH: () => new AppError('not_found'),
};

function errorOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof DatabaseUnavailable) return unavailable(error);
  if (isServerError(error)) return ofDatabase(error.code ?? '', error);
  const known = FRAMEWORK[errorCode(error) ?? ''];
  if (known !== undefined) return known();
  return isClientFault(error)
    ? new AppError('invalid_input', { cause: error })
    : new AppError('internal', { cause: error });
}

/** A broken constraint means that validation let something through, so it is logged although it gets a 4xx. */
function ofDatabase(code: string, cause: unknown): AppError {
  if (code === '40001' || code === '40P01' || code === '23505') {
    return new AppError('conflict', { cause });
  }
  if (code.startsWith('23') || code.startsWith('22')) {
    return new AppError('invalid_input', { cause });
  }
  return isOutage(cause) ? unavailable(cause) : new AppError('internal', { cause });
}

function unavailable(cause: unknown): AppError {
  return new AppError('unavailable', { cause, retryAfterSeconds: 2 });
}

function isClientFault(error: unknown): boolean {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500;
}

const CLOSE_AFTER_MS = 1_000;
const BROKEN = { status: '400 Bad Request', message: ERRORS.invalid_input.message };
/** Browsers send the request again on a fresh connection. */
const TOO_SLOW = { status: '408 Request Timeout', message: 'The request took too long to arrive' };

export function answerBrokenRequest(error: Error, socket: Socket): void {
  const isSlow = errorCode(error) === 'ERR_HTTP_REQUEST_TIMEOUT';
  // Browsers open connections in advance, and would take a response for that of the first request.
  const isSilent = isSlow && socket.bytesRead === 0;
  if (errorCode(error) === 'ECONNRESET' || isSilent || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = isSlow ? TOO_SLOW : BROKEN;
  const requestId = crypto.randomUUID();
  const body = JSON.stringify({ message, code: 'invalid_input', requestId });
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  // The end closes one direction only, and no timeout applies to a client that goes on sending.
  setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref();
}
