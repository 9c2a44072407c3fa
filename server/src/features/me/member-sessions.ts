import { MEMBER_HEADER } from '@meridian/contract/api-tokens';
import { meEvents } from '@meridian/contract/events';
import { MEMBER_COOKIE, meGet, meSignOut } from '@meridian/contract/me/account';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { AppError } from '../../http/errors.ts';
import { networkOf } from '../../http/guards.ts';
import { reasonOf } from '../../http/register.ts';
import type { Member } from '../../http/register.ts';
import { actorName } from '../api-tokens/api-tokens.ts';
import type { ApiTokens } from '../api-tokens/api-tokens.ts';
import {
  SECRET,
  createSessionLookup,
  hashToken,
  newSecret,
  tokenOfHeader,
} from '../sessions/sessions.service.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD']);
const SUSPENDED_RETRY_SECONDS = 60;
/** They show that the service is suspended, and when that is over. */
const ALWAYS_OPEN = new Set<string>([meGet.path, meEvents.path]);

type Credentials = { memberSessions: MemberSessions; apiTokens: ApiTokens };
type Standing = { status: string; isServiceSuspended: boolean };

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
  // Only here has the input been validated.
  scope.addHook('preHandler', async ({ member, method, routeOptions }) => {
    const call = routeOptions.config.endpoint?.name;
    if (!member?.service || call === undefined || SAFE_METHODS.has(method)) return;
    await credentials.apiTokens.recordCall(member.service, call, member.userId);
  });
}

async function byCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { memberSessions }: Credentials,
): Promise<Member & Standing> {
  const token = memberToken(request);
  if (token === null) throw new AppError('unauthenticated');
  const session = await memberSessions.authenticate(token).catch((error: unknown) => {
    if (error instanceof AppError) clearMemberCookie(reply);
    throw error;
  });
  if (session.isRenewed) setMemberCookie(reply, token);
  return { ...session, service: null };
}

async function byToken(
  request: FastifyRequest,
  apiToken: string,
  { memberSessions, apiTokens }: Credentials,
): Promise<Member & Standing> {
  const token = await apiTokens.authenticate(apiToken, request.routeOptions.config.endpoint);
  const named = request.headers[MEMBER_HEADER.toLowerCase()];
  const sessionId = `token ${token.id}`;
  if (token.user_id !== null) {
    const own = await memberSessions.named(sql`u.id = ${token.user_id}`);
    if (named === undefined || named === own.did) return { ...own, sessionId, service: null };
    throw new AppError('right_missing', { message: 'This API token acts for its owner only' });
  }
  if (typeof named !== 'string') {
    throw new AppError('invalid_input', {
      message: `Name the member by DID in the header ${MEMBER_HEADER}`,
    });
  }
  const member = await memberSessions.named(sql`u.did = ${named}`);
  const service = {
    adminId: token.admin_id,
    username: actorName(token),
    requestId: request.id,
    network: networkOf(request.ip),
    reason: reasonOf(request),
  };
  return { ...member, sessionId, service };
}

/** A page of another member, who was signed in here before, changes nothing. */
function requireOpen(
  { userId, status, isServiceSuspended }: Member & Standing,
  { method, routeOptions, headers }: FastifyRequest,
): void {
  if (isServiceSuspended && !ALWAYS_OPEN.has(routeOptions.url ?? '')) {
    throw new AppError('service_suspended', { retryAfterSeconds: SUSPENDED_RETRY_SECONDS });
  }
  if (SAFE_METHODS.has(method) || routeOptions.url === meSignOut.path) return;
  if ((headers['x-person'] ?? userId) !== userId) throw new AppError('session_ended');
  if (status === 'SUSPENDED') throw new AppError('member_suspended');
}

const SESSION_SECONDS = 30 * 24 * 60 * 60;
const EXPIRY = sql`now() + make_interval(secs => ${sql.whole(SESSION_SECONDS)})`;
const RENEWAL = sql`interval '1 hour'`;
export const LIVE_MEMBER = sql`m.expires_at > now() and u.is_active and u.status <> 'BLOCKED'`;

export type MemberSessions = ReturnType<typeof createMemberSessions>;

export function createMemberSessions(db: Database) {
  const find = createSessionLookup((hashes) => findMemberSessions(db, hashes));

  return {
    async authenticate(token: string) {
      const tokenHash = hashToken(token);
      const row = await find(tokenHash);
      if (row === null) throw new AppError('session_ended');
      const { token_hash: sessionId, ...session } = row;
      if (session.isRenewed) {
        await db.execute(sql`
          update member_sessions set last_seen_at = now(), expires_at = ${EXPIRY}
          where token_hash = ${tokenHash}`);
      }
      return { ...session, sessionId };
    },

    async named(isNamed: Sql) {
      const row = await db.maybeOne<NamedMember>(sql`
        select u.id as "userId", u.did, u.status, s.is_service_suspended as "isServiceSuspended",
          not u.is_active or u.status = 'BLOCKED' as "isOff"
        from users u cross join service_settings s where ${isNamed}`);
      if (row === null) throw new AppError('member_not_found');
      const { isOff, ...member } = row;
      if (isOff) throw new AppError('member_off');
      return member;
    },

    isLive: async (tokenHash: Buffer): Promise<boolean> => (await find(tokenHash)) !== null,

    async end(sessionId: string): Promise<void> {
      const tokenHash = Buffer.from(sessionId, 'hex');
      await db.execute(sql`delete from member_sessions where token_hash = ${tokenHash}`);
    },

    async deleteExpired(): Promise<void> {
      await db.execute(sql`delete from member_sessions where expires_at < now()`);
      await db.execute(sql`delete from member_sign_ins where expires_at < now()`);
    },
  };
}

type NamedMember = Pick<Member, 'userId' | 'did'> & Standing & { isOff: boolean };
type SessionRow = Pick<Member, 'userId' | 'did'> &
  Standing & {
    token_hash: string;
    /** The cookie's life has to be prolonged with that of the session. */
    isRenewed: boolean;
  };

/** Nothing is cached: a member who is blocked or deactivated is out with the next request. */
function findMemberSessions(db: Db, tokenHashes: readonly Buffer[]): Promise<SessionRow[]> {
  return db.many<SessionRow>(sql`
    select encode(m.token_hash, 'hex') as token_hash, m.user_id as "userId", u.did, u.status,
           m.last_seen_at < now() - ${RENEWAL} as "isRenewed",
           s.is_service_suspended as "isServiceSuspended"
    from member_sessions m join users u on u.id = m.user_id cross join service_settings s
    where m.token_hash = any(${tokenHashes}::bytea[]) and ${LIVE_MEMBER}`);
}

/** The token is always new: one that was known before the sign-in is worth nothing after it. */
export async function openMemberSession(tx: Db, userId: string): Promise<string> {
  const token = newSecret();
  await tx.execute(sql`
    insert into member_sessions (token_hash, user_id, expires_at)
    values (${hashToken(token)}, ${userId}, ${EXPIRY})`);
  return token;
}

export function tokenIn({ headers }: FastifyRequest, cookie: string): string | null {
  const value = parseCookie(headers.cookie ?? '')[cookie];
  return value !== undefined && SECRET.test(value) ? value : null;
}

export const memberToken = (request: FastifyRequest) => tokenIn(request, MEMBER_COOKIE);

/** The cookie is lax, because the browser comes back from the account's host by a link. */
export function setCookie(reply: FastifyReply, name: string, value: string, maxAge: number): void {
  const cookie = { name, value, maxAge, path: '/', secure: true, httpOnly: true } as const;
  reply.header('set-cookie', stringifySetCookie({ ...cookie, sameSite: 'lax' }));
}

export function setMemberCookie(reply: FastifyReply, token: string): void {
  setCookie(reply, MEMBER_COOKIE, token, SESSION_SECONDS);
}

export function clearMemberCookie(reply: FastifyReply): void {
  setCookie(reply, MEMBER_COOKIE, '', 0);
}
