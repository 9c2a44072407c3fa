import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** An administrator as the host sees one, disabled or not. */
export type AdminAccountRow = {
  id: string;
  username: string;
  display_name: string | null;
  password_hash: string;
  disabled_at: string | null;
};

export type AdminListRow = Pick<AdminAccountRow, 'username' | 'display_name' | 'disabled_at'> & {
  last_login_at: string | null;
};

export async function findAccount(db: Db, username: string): Promise<AdminAccountRow | null> {
  return db.maybeOne<AdminAccountRow>(sql`
    select id, username, display_name, password_hash, disabled_at from admins
    where username = ${username}`);
}

export async function listAccounts(db: Db): Promise<AdminListRow[]> {
  return db.many<AdminListRow>(sql`
    select a.username, a.display_name, a.disabled_at, max(n.last_login_at) as last_login_at
    from admins a left join admin_networks n on n.admin_id = a.id
    group by a.id order by a.username`);
}

/** A new epoch ends every session, also one that a login under way is about to insert. */
export async function disableAccount(db: Db, adminId: string): Promise<boolean> {
  const disabled = await db.execute(sql`
    update admins
    set disabled_at = now(), session_epoch = session_epoch + 1, updated_at = now()
    where id = ${adminId} and disabled_at is null`);
  return disabled > 0;
}

export async function enableAccount(db: Db, adminId: string): Promise<boolean> {
  const enabled = await db.execute(sql`
    update admins set disabled_at = null, updated_at = now()
    where id = ${adminId} and disabled_at is not null`);
  return enabled > 0;
}

/** The epoch has ended them already; this lets their rows say so. */
export async function revokeAllSessions(db: Db, adminId: string): Promise<void> {
  await db.execute(sql`
    update admin_sessions set revoked_at = now()
    where admin_id = ${adminId} and revoked_at is null`);
}
