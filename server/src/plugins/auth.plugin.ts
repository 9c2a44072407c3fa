import type { FastifyInstance } from 'fastify';
import type { AuthService } from '../features/auth/auth.service.ts';
import { networkOf } from '../http/client-network.ts';
import { tokenOfHeader } from '../features/auth/session-token.ts';
import { AppError } from '../http/app-error.ts';

/** Every route of this scope, present and future, asks for a live session before anything else. */
export function requireSession(scope: FastifyInstance, auth: AuthService): void {
  scope.decorateRequest('actor');
  scope.addHook('onRequest', async (request) => {
    const token = tokenOfHeader(request.headers.authorization);
    if (token === null) throw new AppError('unauthenticated');
    const session = await auth.authenticate(token);
    request.actor = { ...session, requestId: request.id, network: networkOf(request.ip) };
  });
}
