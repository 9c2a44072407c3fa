import { VISIT_GAP_MINUTES } from '@meridian/contract/overview';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

type SessionRow = {
  token_hash: string;
  admin_id: string;
  username: string;
  display_name: string | null;
  is_stale: boolean;
};

export type SessionLimits = { idleSeconds: number; maxSeconds: number };

const renewalSeconds = ({ idleSeconds }: SessionLimits) => Math.min(60, idleSeconds / 2);

/** A request after a gap begins another visit, which is about what happened since the last one. */
const VISIT = sql`
  insert into admin_visits as v (admin_id, seen_at) select admin_id, now() from used
  on conflict (admin_id) do update set seen_at = now(),
    since = case when v.seen_at < now() - make_interval(mins => ${sql.whole(VISIT_GAP_MINUTES)})
                 then v.seen_at else v.since end`;

type NewSession = {
  tokenHash: Buffer;
  admin: { id: string; session_epoch: number };
  maxSeconds: number;
};

/** The transaction may have waited for a lock, so `created_at` is the time of the insert. */
export async function insertSession(
  db: Db,
  { tokenHash, admin, maxSeconds }: NewSession,
): Promise<void> {
  await db.execute(sql`
    with used as (
      insert into admin_sessions (token_hash, admin_id, epoch, created_at, last_seen_at, expires_at)
      values (${tokenHash}, ${admin.id}, ${admin.session_epoch},
              clock_timestamp(), now(), now() + make_interval(secs => ${maxSeconds}))
      returning admin_id)
    ${VISIT}`);
}

/** Every way in which a session ends is a condition here, by the clock of the database; nothing is cached. */
export async function findSessions(
  db: Db,
  tokenHashes: readonly Buffer[],
  limits: SessionLimits,
): Promise<SessionRow[]> {
  return db.many<SessionRow>(sql`
    select encode(s.token_hash, 'hex') as token_hash, s.admin_id, a.username, a.display_name,
           s.last_seen_at < now() - make_interval(secs => ${renewalSeconds(limits)}) as is_stale
    from admin_sessions s join admins a on a.id = s.admin_id
    where s.token_hash = any(${tokenHashes}::bytea[])
      and s.revoked_at is null
      and s.expires_at > now()
      and s.created_at > now() - make_interval(secs => ${limits.maxSeconds})
      and s.last_seen_at > now() - make_interval(secs => ${limits.idleSeconds})
      and s.epoch = a.session_epoch
      and a.disabled_at is null`);
}

export async function touchSession(
  db: Db,
  tokenHash: Buffer,
  limits: SessionLimits,
): Promise<void> {
  await db.execute(sql`
    with used as (
      update admin_sessions set last_seen_at = now()
      where token_hash = ${tokenHash}
        and last_seen_at < now() - make_interval(secs => ${renewalSeconds(limits)})
      returning admin_id)
    ${VISIT}`);
}

export async function revokeSession(db: Db, tokenHash: Buffer): Promise<boolean> {
  const revoked = await db.execute(sql`
    update admin_sessions set revoked_at = now()
    where token_hash = ${tokenHash} and revoked_at is null`);
  return revoked > 0;
}

export async function revokeOldestSessions(db: Db, adminId: string, keep: number): Promise<void> {
  await db.execute(sql`
    update admin_sessions set revoked_at = now()
    where token_hash in (
      select token_hash from admin_sessions
      where admin_id = ${adminId} and revoked_at is null and expires_at > now()
      order by created_at desc, token_hash offset ${keep})`);
}

export async function revokeOtherSessions(
  db: Db,
  adminId: string,
  tokenHash: Buffer,
): Promise<void> {
  await db.execute(sql`
    update admin_sessions s
    set epoch = case when s.token_hash = ${tokenHash} then a.session_epoch else s.epoch end,
        revoked_at = case when s.token_hash = ${tokenHash} then s.revoked_at else now() end
    from admins a
    where a.id = ${adminId} and s.admin_id = a.id and s.revoked_at is null`);
}

/** The new epoch has ended them already; this marks their rows for deletion. */
export async function revokeAllSessions(db: Db, adminId: string): Promise<void> {
  await db.execute(sql`
    update admin_sessions set revoked_at = now()
    where admin_id = ${adminId} and revoked_at is null`);
}

export async function deleteEndedSessions(db: Db): Promise<number> {
  return db.execute(sql`
    delete from admin_sessions
    where least(expires_at, revoked_at) < now() - interval '1 day'`);
}
