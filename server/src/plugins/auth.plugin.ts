import { deliveryGet } from '@meridian/contract/deliveries';
import { engineGet } from '@meridian/contract/engine';
import type { FastifyInstance } from 'fastify';
import { networkOf } from '../http/client-network.ts';
import { tokenOfHeader } from '../features/sessions/session-token.ts';
import type { SessionsService } from '../features/sessions/sessions.service.ts';
import { AppError } from '../http/app-error.ts';
import { routerPath } from '../http/register.ts';

/** The console polls these by itself, so they do not count as use: the idle timeout still ends a session. */
const POLLED = new Set([engineGet, deliveryGet].map(({ path }) => routerPath(path)));

/** Every route of this scope, present and future, asks for a live session before anything else. */
export function requireSession(scope: FastifyInstance, sessions: SessionsService): void {
  scope.decorateRequest('actor');
  scope.addHook('onRequest', async (request) => {
    const token = tokenOfHeader(request.headers.authorization);
    if (token === null) throw new AppError('unauthenticated');
    const isUse = !POLLED.has(request.routeOptions.url ?? '');
    const session = await sessions.authenticate(token, { isUse });
    request.actor = { ...session, requestId: request.id, network: networkOf(request.ip) };
  });
}
