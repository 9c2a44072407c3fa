import { ERRORS } from '@meridian/contract/errors';
import type { ErrorBody, ErrorCode } from '@meridian/contract/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { DatabaseUnavailable, isOutage, isServerError } from '../db/errors.ts';

/** One shape for every refusal. What went wrong inside goes to the log, never to the client. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  app.setNotFoundHandler(() => {
    throw new AppError('not_found');
  });
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const answer = errorOf(error);
  logError(answer, request);
  if (answer.retryAfterSeconds !== undefined) {
    reply.header('retry-after', String(answer.retryAfterSeconds));
  }
  if (answer.status === 401) reply.header('www-authenticate', 'Bearer');
  return reply
    .code(answer.status)
    .type('application/json; charset=utf-8')
    .send(bodyOf(answer, request.id));
}

function bodyOf(error: AppError, requestId: string): ErrorBody {
  const { message, code, issues } = error;
  return { message, code, requestId, ...(issues !== undefined && { issues }) };
}

function logError(answer: AppError, request: FastifyRequest): void {
  const { status, cause } = answer;
  if (cause === undefined && status !== 500) return;
  const level = status === 503 ? 'warn' : 'error';
  request.log[level]({ err: cause ?? answer, code: answer.code }, 'Request failed');
}

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
function errorOf(error: unknown): AppError {
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

/** Time for the client to read the response. */
const CLOSE_AFTER_MS = 1_000;

type ClientError = Error & { code?: string };

const BROKEN = { status: '400 Bad Request', message: ERRORS.invalid_input.message };
/** Browsers send the request again on a fresh connection. */
const TOO_SLOW = { status: '408 Request Timeout', message: 'The request took too long to arrive' };

/** For bytes that are no HTTP request: one fixed response, and the connection is closed. */
export function answerBrokenRequest(error: ClientError, socket: Socket): void {
  const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  // Browsers open connections in advance. A response on one that has sent nothing would be taken for
  // that of its first request, which may be on its way.
  const isSilent = isSlow && socket.bytesRead === 0;
  if (error.code === 'ECONNRESET' || isSilent || !socket.writable) {
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
  // That closes one direction only. A client that goes on sending would keep the connection open: no
  // timeout applies to it any more.
  setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref();
}

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
