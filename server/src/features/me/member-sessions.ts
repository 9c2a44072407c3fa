import { MEMBER_COOKIE } from '@meridian/contract/me/account';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { AppError } from '../../http/errors.ts';
import { createSessionLookup, hashToken } from '../sessions/sessions.service.ts';

/** A session that is live, as of this request. */
export type MemberSession = {
  userId: string;
  did: string;
  sessionId: string;
  status: string;
  isServiceSuspended: boolean;
  /** Its life was prolonged, and so the cookie's has to be. */
  isRenewed: boolean;
};

export type MemberSessions = ReturnType<typeof createMemberSessions>;

export function createMemberSessions(db: Database) {
  const find = createSessionLookup((hashes) => findMemberSessions(db, hashes));

  return {
    /** Throws when the session has ended, or its person may not use the service any more. */
    async authenticate(token: string): Promise<MemberSession> {
      const tokenHash = hashToken(token);
      const row = await find(tokenHash);
      if (row === null) throw new AppError('session_ended');
      if (row.is_stale) await renewMemberSession(db, tokenHash);
      return {
        userId: row.user_id,
        did: row.did,
        sessionId: row.token_hash,
        status: row.status,
        isServiceSuspended: row.is_service_suspended,
        isRenewed: row.is_stale,
      };
    },

    /** The member whom an API token names, as a session of `sessionId`. */
    async named(
      member: { userId: string } | { did: string },
      sessionId: string,
    ): Promise<MemberSession> {
      const row = await findNamedMember(db, member);
      if (row === null) throw new AppError('member_not_found');
      if (row.is_off) throw new AppError('member_off');
      return {
        userId: row.user_id,
        did: row.did,
        sessionId,
        status: row.status,
        isServiceSuspended: row.is_service_suspended,
        isRenewed: false,
      };
    },

    /** Whether the session of this token goes on; no use of it. */
    isLive: async (tokenHash: Buffer): Promise<boolean> => (await find(tokenHash)) !== null,

    end: (sessionId: string) => deleteMemberSession(db, Buffer.from(sessionId, 'hex')),

    deleteExpired: () => deleteExpiredMemberRows(db),
  };
}

/** Always a new token: one that was known before the sign-in is worth nothing after it. */
export async function openMemberSession(tx: Db, userId: string): Promise<string> {
  const token = randomToken();
  await insertMemberSession(tx, { tokenHash: hashToken(token), userId });
  return token;
}

/** Names a session without being able to use it. */
export function sessionIdOf(token: string): string {
  return hashToken(token).toString('hex');
}

/** 256 random bits. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

export const SESSION_SECONDS = 30 * 24 * 60 * 60;
/** How old `last_seen_at` may become before session and cookie are renewed. */
const RENEWAL = sql`interval '1 hour'`;
const EXPIRY = sql`now() + make_interval(secs => ${sql.whole(SESSION_SECONDS)})`;

/** Of a session `m` of the user `u` that goes on. A person who is blocked or inactive has none. */
export const LIVE_MEMBER = sql`m.expires_at > now() and u.is_active and u.status <> 'BLOCKED'`;

export type MemberSessionRow = {
  /** In hexadecimal. */
  token_hash: string;
  user_id: string;
  did: string;
  status: string;
  is_stale: boolean;
  is_service_suspended: boolean;
};

async function insertMemberSession(
  db: Db,
  session: { tokenHash: Buffer; userId: string },
): Promise<void> {
  await db.execute(sql`
    insert into member_sessions (token_hash, user_id, expires_at)
    values (${session.tokenHash}, ${session.userId}, ${EXPIRY})`);
}

/**
 * The live sessions of these tokens. Nothing is cached: a person who is blocked or deactivated is out
 * with the next request.
 */
async function findMemberSessions(
  db: Db,
  tokenHashes: readonly Buffer[],
): Promise<MemberSessionRow[]> {
  return db.many<MemberSessionRow>(sql`
    select encode(m.token_hash, 'hex') as token_hash, m.user_id, u.did, u.status,
           m.last_seen_at < now() - ${RENEWAL} as is_stale, s.is_service_suspended
    from member_sessions m join users u on u.id = m.user_id cross join service_settings s
    where m.token_hash = any(${tokenHashes}::bytea[]) and ${LIVE_MEMBER}`);
}

export type NamedMember = Omit<MemberSessionRow, 'token_hash' | 'is_stale'> & { is_off: boolean };

/** For an API token, which names the member. */
async function findNamedMember(
  db: Db,
  member: { userId: string } | { did: string },
): Promise<NamedMember | null> {
  const which = 'did' in member ? sql`u.did = ${member.did}` : sql`u.id = ${member.userId}`;
  return db.maybeOne<NamedMember>(sql`
    select u.id as user_id, u.did, u.status, not u.is_active or u.status = 'BLOCKED' as is_off,
      s.is_service_suspended
    from users u cross join service_settings s where ${which}`);
}

async function renewMemberSession(db: Db, tokenHash: Buffer): Promise<void> {
  await db.execute(sql`
    update member_sessions set last_seen_at = now(), expires_at = ${EXPIRY}
    where token_hash = ${tokenHash}`);
}

async function deleteMemberSession(db: Db, tokenHash: Buffer): Promise<void> {
  await db.execute(sql`delete from member_sessions where token_hash = ${tokenHash}`);
}

/** Sessions and sign-ins whose time is over. */
async function deleteExpiredMemberRows(db: Db): Promise<void> {
  await db.execute(sql`delete from member_sessions where expires_at < now()`);
  await db.execute(sql`delete from member_sign_ins where expires_at < now()`);
}

/** Binds a sign-in to the browser that began it. */
const SIGN_IN_COOKIE = '__Host-sign-in';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The session token that the browser sent; null when there is none of our form. */
export const memberToken = (request: FastifyRequest) => tokenIn(request, MEMBER_COOKIE);
/** The state of the sign-in that this browser began last. */
export const signInState = (request: FastifyRequest) => tokenIn(request, SIGN_IN_COOKIE);

export function setMemberCookie(reply: FastifyReply, token: string, seconds: number): void {
  setCookie(reply, MEMBER_COOKIE, token, seconds);
}

export function setSignInCookie(reply: FastifyReply, state: string, seconds: number): void {
  setCookie(reply, SIGN_IN_COOKIE, state, seconds);
}

export const clearMemberCookie = (reply: FastifyReply) => setCookie(reply, MEMBER_COOKIE, '', 0);
export const clearSignInCookie = (reply: FastifyReply) => setCookie(reply, SIGN_IN_COOKIE, '', 0);

function tokenIn({ headers }: FastifyRequest, name: string): string | null {
  const value = parseCookie(headers.cookie ?? '')[name];
  return value !== undefined && TOKEN.test(value) ? value : null;
}

/** Lax, because the browser comes back from the account's host by a link. */
function setCookie(reply: FastifyReply, name: string, value: string, maxAge: number): void {
  const cookie = { name, value, maxAge, path: '/', secure: true, httpOnly: true } as const;
  reply.header('set-cookie', stringifySetCookie({ ...cookie, sameSite: 'lax' }));
}
