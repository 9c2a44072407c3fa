import type { User, UserStatus } from '@meridian/contract/users';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export type UserPage = { status: UserStatus | undefined; limit: number; offset: number };

// The names on the wire are the names of the columns, so a row is the answer.
const COLUMNS = sql`id, did, handle, display_name, avatar, status, is_active,
  has_access_keyword_access, upgrade_prohibited, created_at, updated_at`;

function where(status: UserStatus | undefined) {
  return status === undefined ? sql.empty : sql`where status = ${status}`;
}

/** The ids of the page come from the index alone, so that a late page costs little more than the first. */
export async function listUsers(db: Db, { status, limit, offset }: UserPage): Promise<User[]> {
  return db.many<User>(sql`
    select ${COLUMNS}
    from (select id from users ${where(status)}
          order by created_at desc, id desc limit ${limit} offset ${offset}) page
    join users using (id)
    order by created_at desc, id desc`);
}

export async function countUsers(db: Db, status: UserStatus | undefined): Promise<number> {
  const row = await db.one<{ total: number }>(sql`
    select count(*) as total from users ${where(status)}`);
  return row.total;
}

export async function findUser(db: Db, id: string): Promise<User | null> {
  return db.maybeOne<User>(sql`select ${COLUMNS} from users where id = ${id}`);
}

export async function userExists(db: Db, id: string): Promise<boolean> {
  const row = await db.one<{ found: boolean }>(sql`
    select exists (select from users where id = ${id}) as found`);
  return row.found;
}

export async function setStatus(db: Db, id: string, status: UserStatus): Promise<User | null> {
  return db.maybeOne<User>(sql`
    update users set status = ${status}, updated_at = now() where id = ${id} returning ${COLUMNS}`);
}

export async function setActive(db: Db, id: string, isActive: boolean): Promise<User | null> {
  return db.maybeOne<User>(sql`
    update users set is_active = ${isActive}, updated_at = now() where id = ${id}
    returning ${COLUMNS}`);
}

export async function setUpgradeProhibited(
  db: Db,
  id: string,
  isProhibited: boolean,
): Promise<User | null> {
  return db.maybeOne<User>(sql`
    update users set upgrade_prohibited = ${isProhibited}, updated_at = now() where id = ${id}
    returning ${COLUMNS}`);
}
