import { MEMBER_HEADER } from '@meridian/contract/api-tokens';
import { meGet, meSignOut } from '@meridian/contract/me/account';
import { meEvents } from '@meridian/contract/events';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../http/errors.ts';
import { networkOf } from '../../http/guards.ts';
import { reasonOf } from '../../http/register.ts';
import type { Member } from '../../http/register.ts';
import { actorName } from '../api-tokens/api-tokens.service.ts';
import type { ApiTokens } from '../api-tokens/api-tokens.service.ts';
import { tokenOfHeader } from '../sessions/sessions.service.ts';
import {
  SESSION_SECONDS,
  clearMemberCookie,
  memberToken,
  setMemberCookie,
} from './member-sessions.ts';
import type { MemberSession, MemberSessions } from './member-sessions.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD']);
const SUSPENDED_RETRY_SECONDS = 60;
/** They show that the service is suspended, and when that is over. */
const ALWAYS_OPEN = new Set<string>([meGet.path, meEvents.path]);

type Credentials = { memberSessions: MemberSessions; apiTokens: ApiTokens };

/** Every route of this scope asks for the live session, or the API token, of a member who may make this call. */
export function requireMember(scope: FastifyInstance, credentials: Credentials): void {
  scope.decorateRequest('member');
  scope.addHook('onRequest', async (request, reply) => {
    const apiToken = tokenOfHeader(request.headers.authorization, 'mer');
    const member =
      apiToken === null
        ? await byCookie(request, reply, credentials)
        : await byToken(request, apiToken, credentials);
    requireOpen(member, request);
    const { userId, did, sessionId, service } = member;
    request.member = { userId, did, sessionId, service };
  });
  // The input is valid by now.
  scope.addHook('preHandler', async ({ member, method, routeOptions }) => {
    const call = routeOptions.config.endpoint?.name;
    const service = member?.service ?? null;
    if (service === null || call === undefined || SAFE_METHODS.has(method)) return;
    await credentials.apiTokens.recordCall(service, call, member?.userId ?? '');
  });
}

type Acting = MemberSession & Pick<Member, 'service'>;

async function byCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { memberSessions }: Credentials,
): Promise<Acting> {
  const token = memberToken(request);
  if (token === null) throw new AppError('unauthenticated');
  const session = await memberSessions.authenticate(token).catch((error: unknown) => {
    if (error instanceof AppError) clearMemberCookie(reply);
    throw error;
  });
  if (session.isRenewed) setMemberCookie(reply, token, SESSION_SECONDS);
  return { ...session, service: null };
}

/** A member's token acts for its owner; that of a service for the member in the header. */
async function byToken(
  request: FastifyRequest,
  apiToken: string,
  { memberSessions, apiTokens }: Credentials,
): Promise<Acting> {
  const token = await apiTokens.authenticate(apiToken, request.routeOptions.config.endpoint);
  const named = request.headers[MEMBER_HEADER.toLowerCase()];
  const sessionId = `token ${token.id}`;
  if (token.user_id !== null) {
    const own = await memberSessions.named({ userId: token.user_id }, sessionId);
    if (named === undefined || named === own.did) return { ...own, service: null };
    throw new AppError('right_missing', { message: 'This API token acts for its owner only' });
  }
  if (typeof named !== 'string') {
    throw new AppError('invalid_input', {
      message: `Name the member by DID in the header ${MEMBER_HEADER}`,
    });
  }
  const member = await memberSessions.named({ did: named }, sessionId);
  const service = {
    adminId: token.admin_id,
    username: actorName(token),
    requestId: request.id,
    network: networkOf(request.ip),
    reason: reasonOf(request),
  };
  return { ...member, service };
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
