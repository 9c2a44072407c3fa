import { deliveryGet, engineGet } from '@meridian/contract/engine';
import { eventStream } from '@meridian/contract/events';
import { overviewGet } from '@meridian/contract/overview';
import { BACKGROUND_HEADER } from '@meridian/contract/requests';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiTokens } from '../features/api-tokens/api-tokens.ts';
import { tokenOfHeader } from '../features/sessions/sessions.service.ts';
import type { SessionsService } from '../features/sessions/sessions.service.ts';
import { AppError } from './errors.ts';
import { networkOf } from './guards.ts';
import { reasonOf, routerPath } from './register.ts';
import type { SessionActor } from './register.ts';

/** The console polls these by itself, so they do not keep a session from its idle timeout. */
const POLLED = new Set(
  [engineGet, deliveryGet, eventStream, overviewGet].map(({ path }) => routerPath(path)),
);

type Credentials = { sessions: SessionsService; apiTokens: ApiTokens };

export function requireSession(scope: FastifyInstance, credentials: Credentials): void {
  scope.decorateRequest('actor');
  scope.addHook('onRequest', async (request) => {
    const actor = await authenticate(request, credentials);
    const network = networkOf(request.ip);
    request.actor = { ...actor, requestId: request.id, network, reason: reasonOf(request) };
  });
}

async function authenticate(
  request: FastifyRequest,
  { sessions, apiTokens }: Credentials,
): Promise<SessionActor> {
  const { authorization } = request.headers;
  const apiToken = tokenOfHeader(authorization, 'mer');
  if (apiToken !== null) {
    return apiTokens.administratorOf(apiToken, request.routeOptions.config.endpoint);
  }
  const token = tokenOfHeader(authorization);
  if (token === null) throw new AppError('unauthenticated');
  return sessions.authenticate(token, { isUse: isUse(request) });
}

function isUse({ method, headers, routeOptions }: FastifyRequest): boolean {
  const isRepeated = method === 'GET' && headers[BACKGROUND_HEADER.toLowerCase()] !== undefined;
  return !isRepeated && !POLLED.has(routeOptions.url ?? '');
}
