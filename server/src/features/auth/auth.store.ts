import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export type AdminRow = {
  id: string;
  username: string;
  display_name: string | null;
  password_hash: string;
  session_epoch: number;
};

export type NamedAdminRow = AdminRow & { is_disabled: boolean };

export type SessionRow = {
  /** In hexadecimal. */
  token_hash: string;
  admin_id: string;
  username: string;
  display_name: string | null;
  is_stale: boolean;
};

export type SessionLimits = { idleSeconds: number; maxSeconds: number };

const RENEWAL_SECONDS = 60;

/** How old the last request on record may become: never so old that an active session looks idle. */
function renewalSeconds({ idleSeconds }: SessionLimits): number {
  return Math.min(RENEWAL_SECONDS, idleSeconds / 2);
}

const ADMIN_COLUMNS = sql`id, username, display_name, password_hash, session_epoch`;

export async function findAdminByUsername(db: Db, username: string): Promise<AdminRow | null> {
  return db.maybeOne<AdminRow>(sql`
    select ${ADMIN_COLUMNS} from admins
    where username = ${username} and disabled_at is null`);
}

/** Whoever has this name, disabled or not: the record names them, and none of them costs less to refuse. */
export async function findNamedAdmin(db: Db, username: string): Promise<NamedAdminRow | null> {
  return db.maybeOne<NamedAdminRow>(sql`
    select ${ADMIN_COLUMNS}, disabled_at is not null as is_disabled from admins
    where username = ${username}`);
}

/** The row stays locked: one administrator's changes of the password and sign-ins follow one another. */
export async function lockAdmin(db: Db, adminId: string): Promise<AdminRow | null> {
  return db.maybeOne<AdminRow>(sql`
    select ${ADMIN_COLUMNS} from admins
    where id = ${adminId} and disabled_at is null for no key update`);
}

export async function hasAdmins(db: Db): Promise<boolean> {
  const row = await db.one<{ found: boolean }>(sql`select exists (select from admins) as found`);
  return row.found;
}

/** Of all of them, the disabled ones too; the first administrator's comes first. */
export async function listPasswordHashes(db: Db): Promise<string[]> {
  const rows = await db.many<Pick<AdminRow, 'password_hash'>>(
    sql`select password_hash from admins order by created_at, id`,
  );
  return rows.map((row) => row.password_hash);
}

export async function insertAdmin(
  db: Db,
  admin: { id: string; username: string; passwordHash: string; displayName?: string | null },
): Promise<void> {
  await db.execute(sql`
    insert into admins (id, username, display_name, password_hash)
    values (${admin.id}, ${admin.username}, ${admin.displayName ?? null}, ${admin.passwordHash})`);
}

/**
 * A new password, and a new epoch: it ends every session of the administrator, even one that a
 * login with the old password is about to insert.
 */
export async function changePassword(db: Db, adminId: string, hash: string): Promise<void> {
  await db.execute(sql`
    update admins
    set password_hash = ${hash}, session_epoch = session_epoch + 1, updated_at = now()
    where id = ${adminId}`);
}

/** Carries the one session that stays into the new epoch and marks the others as ended. */
export async function keepOnlySession(db: Db, adminId: string, tokenHash: Buffer): Promise<void> {
  await db.execute(sql`
    update admin_sessions s
    set epoch = case when s.token_hash = ${tokenHash} then a.session_epoch else s.epoch end,
        revoked_at = case when s.token_hash = ${tokenHash} then s.revoked_at else now() end
    from admins a
    where a.id = ${adminId} and s.admin_id = a.id and s.revoked_at is null`);
}

/** The same password under today's parameters, unless it was changed in the meantime. */
export async function replacePasswordHash(
  db: Db,
  adminId: string,
  from: string,
  to: string,
): Promise<void> {
  await db.execute(sql`
    update admins set password_hash = ${to} where id = ${adminId} and password_hash = ${from}`);
}

/**
 * Made when it is inserted, not when the transaction began, which may have waited for others: the
 * latest sign-in is then the newest session.
 */
export async function insertSession(
  db: Db,
  session: { tokenHash: Buffer; admin: AdminRow; maxSeconds: number },
): Promise<void> {
  await db.execute(sql`
    insert into admin_sessions (token_hash, admin_id, epoch, created_at, last_seen_at, expires_at)
    values (${session.tokenHash}, ${session.admin.id}, ${session.admin.session_epoch},
            clock_timestamp(), now(), now() + make_interval(secs => ${session.maxSeconds}))`);
}

/**
 * The live ones among the sessions of these tokens. Every way in which a session can end is a
 * condition here, judged by the database's clock; nothing is cached, so an end takes effect with
 * the next request.
 */
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

/** At most one write a minute and session, or two in a shorter idle time, however many requests. */
export async function touchSession(
  db: Db,
  tokenHash: Buffer,
  limits: SessionLimits,
): Promise<void> {
  await db.execute(sql`
    update admin_sessions set last_seen_at = now()
    where token_hash = ${tokenHash}
      and last_seen_at < now() - make_interval(secs => ${renewalSeconds(limits)})`);
}

/** False when it has ended already. */
export async function revokeSession(db: Db, tokenHash: Buffer): Promise<boolean> {
  const revoked = await db.execute(sql`
    update admin_sessions set revoked_at = now()
    where token_hash = ${tokenHash} and revoked_at is null`);
  return revoked > 0;
}

/** Keeps the newest sessions of an administrator and ends the rest. */
export async function revokeOldestSessions(db: Db, adminId: string, keep: number): Promise<void> {
  await db.execute(sql`
    update admin_sessions set revoked_at = now()
    where token_hash in (
      select token_hash from admin_sessions
      where admin_id = ${adminId} and revoked_at is null and expires_at > now()
      order by created_at desc, token_hash offset ${keep})`);
}

/** Rows of sessions that ended a day ago or earlier have no use. */
export async function deleteEndedSessions(db: Db): Promise<number> {
  return db.execute(sql`
    delete from admin_sessions
    where least(expires_at, revoked_at) < now() - interval '1 day'`);
}
