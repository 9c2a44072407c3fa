import type { ErrorBody } from '@meridian/contract/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../http/app-error.ts';
import { errorOf } from '../http/error-of.ts';

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
