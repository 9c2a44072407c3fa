import { meGet, meSignOut } from '@meridian/contract/me/account';
import { meEvents } from '@meridian/contract/me/events';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../http/app-error.ts';
import { clearMemberCookie, memberToken, setMemberCookie } from './member-cookie.ts';
import type { MemberSession, MemberSessions } from './member-sessions.service.ts';
import { SESSION_SECONDS } from './member-sessions.store.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD']);
const SUSPENDED_RETRY_SECONDS = 60;
/** They show that the service is suspended, and when that is over. */
const ALWAYS_OPEN = new Set<string>([meGet.path, meEvents.path]);

/** Every route of this scope asks for the live session of a person who may make this call. */
export function requireMember(scope: FastifyInstance, sessions: MemberSessions): void {
  scope.decorateRequest('member');
  scope.addHook('onRequest', async (request, reply) => {
    const token = memberToken(request);
    if (token === null) throw new AppError('unauthenticated');
    const session = await sessions.authenticate(token).catch((error: unknown) => {
      if (error instanceof AppError) clearMemberCookie(reply);
      throw error;
    });
    requireOpen(session, request);
    if (session.isRenewed) setMemberCookie(reply, token, SESSION_SECONDS);
    const { userId, did, sessionId } = session;
    request.member = { userId, did, sessionId };
  });
}

/**
 * A suspended service shows only that it is, and a suspended person may look but change nothing. A page
 * of another person, who was signed in here before, changes nothing either.
 */
function requireOpen(
  session: MemberSession,
  { method, routeOptions, headers }: FastifyRequest,
): void {
  if (session.isServiceSuspended && !ALWAYS_OPEN.has(routeOptions.url ?? '')) {
    throw new AppError('service_suspended', { retryAfterSeconds: SUSPENDED_RETRY_SECONDS });
  }
  const isChange = !SAFE_METHODS.has(method) && routeOptions.url !== meSignOut.path;
  const page = headers['x-person'] ?? session.userId;
  if (isChange && page !== session.userId) throw new AppError('session_ended');
  if (isChange && session.status === 'SUSPENDED') throw new AppError('member_suspended');
}
