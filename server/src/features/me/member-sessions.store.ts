import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

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

export async function insertMemberSession(
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
export async function findMemberSessions(
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
export async function findNamedMember(
  db: Db,
  member: { userId: string } | { did: string },
): Promise<NamedMember | null> {
  const which = 'did' in member ? sql`u.did = ${member.did}` : sql`u.id = ${member.userId}`;
  return db.maybeOne<NamedMember>(sql`
    select u.id as user_id, u.did, u.status, not u.is_active or u.status = 'BLOCKED' as is_off,
      s.is_service_suspended
    from users u cross join service_settings s where ${which}`);
}

export async function renewMemberSession(db: Db, tokenHash: Buffer): Promise<void> {
  await db.execute(sql`
    update member_sessions set last_seen_at = now(), expires_at = ${EXPIRY}
    where token_hash = ${tokenHash}`);
}

export async function deleteMemberSession(db: Db, tokenHash: Buffer): Promise<void> {
  await db.execute(sql`delete from member_sessions where token_hash = ${tokenHash}`);
}

/** Sessions and sign-ins whose time is over. */
export async function deleteExpiredMemberRows(db: Db): Promise<void> {
  await db.execute(sql`delete from member_sessions where expires_at < now()`);
  await db.execute(sql`delete from member_sign_ins where expires_at < now()`);
}
