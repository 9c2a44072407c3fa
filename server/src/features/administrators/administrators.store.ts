import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export type AdminRow = {
  id: string;
  username: string;
  display_name: string | null;
  password_hash: string;
  session_epoch: number;
  is_disabled: boolean;
};

export type AdminListRow = Pick<AdminRow, 'username' | 'display_name' | 'is_disabled'> & {
  last_login_at: string | null;
};

const COLUMNS = sql`
  id, username, display_name, password_hash, session_epoch, disabled_at is not null as is_disabled`;

/** Disabled administrators are found too: refusing one must cost the same as any other name. */
export async function findAdmin(db: Db, username: string): Promise<AdminRow | null> {
  return db.maybeOne<AdminRow>(sql`select ${COLUMNS} from admins where username = ${username}`);
}

/** The lock serializes sign-ins and password changes of one administrator. */
export async function lockAdmin(db: Db, id: string): Promise<AdminRow | null> {
  return db.maybeOne<AdminRow>(sql`
    select ${COLUMNS} from admins where id = ${id} and disabled_at is null for no key update`);
}

export async function hasAdmins(db: Db): Promise<boolean> {
  const row = await db.one<{ found: boolean }>(sql`select exists (select from admins) as found`);
  return row.found;
}

export async function listAdmins(db: Db): Promise<AdminListRow[]> {
  return db.many<AdminListRow>(sql`
    select a.username, a.display_name, a.disabled_at is not null as is_disabled,
           max(n.last_login_at) as last_login_at
    from admins a left join admin_networks n on n.admin_id = a.id
    group by a.id order by a.username`);
}

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

/** The new epoch ends every session, also one that a concurrent sign-in is about to insert. */
export async function setPassword(db: Db, id: string, hash: string): Promise<void> {
  await db.execute(sql`
    update admins
    set password_hash = ${hash}, session_epoch = session_epoch + 1, updated_at = now()
    where id = ${id}`);
}

export async function upgradePasswordHash(
  db: Db,
  { id, password_hash }: AdminRow,
  upgraded: string,
): Promise<void> {
  await db.execute(sql`
    update admins set password_hash = ${upgraded}
    where id = ${id} and password_hash = ${password_hash}`);
}

export async function disableAdmin(db: Db, id: string): Promise<boolean> {
  const disabled = await db.execute(sql`
    update admins
    set disabled_at = now(), session_epoch = session_epoch + 1, updated_at = now()
    where id = ${id} and disabled_at is null`);
  return disabled > 0;
}

export async function enableAdmin(db: Db, id: string): Promise<boolean> {
  const enabled = await db.execute(sql`
    update admins set disabled_at = null, updated_at = now()
    where id = ${id} and disabled_at is not null`);
  return enabled > 0;
}
