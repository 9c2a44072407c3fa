import { deliveryGet } from '@meridian/contract/deliveries';
import { engineGet } from '@meridian/contract/engine';
import { eventStream } from '@meridian/contract/events';
import { nowGet } from '@meridian/contract/now';
import { BACKGROUND_HEADER } from '@meridian/contract/requests';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { networkOf } from '../http/client-network.ts';
import { tokenOfHeader } from '../features/sessions/session-token.ts';
import type { SessionsService } from '../features/sessions/sessions.service.ts';
import { AppError } from '../http/app-error.ts';
import { reasonOf } from '../http/reason.ts';
import { routerPath } from '../http/register.ts';

/** The console polls these by itself, so they do not count as use: the idle timeout still ends a session. */
const POLLED = new Set(
  [engineGet, deliveryGet, eventStream, nowGet].map(({ path }) => routerPath(path)),
);
const BACKGROUND = BACKGROUND_HEADER.toLowerCase();

/** Every route of this scope, present and future, asks for a live session before anything else. */
export function requireSession(scope: FastifyInstance, sessions: SessionsService): void {
  scope.decorateRequest('actor');
  scope.addHook('onRequest', async (request) => {
    const token = tokenOfHeader(request.headers.authorization);
    if (token === null) throw new AppError('unauthenticated');
    const session = await sessions.authenticate(token, { isUse: isUse(request) });
    const network = networkOf(request.ip);
    request.actor = { ...session, requestId: request.id, network, reason: reasonOf(request) };
  });
}

function isUse({ method, headers, routeOptions }: FastifyRequest): boolean {
  const isRepeated = method === 'GET' && headers[BACKGROUND] !== undefined;
  return !isRepeated && !POLLED.has(routeOptions.url ?? '');
}
