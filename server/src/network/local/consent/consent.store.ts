import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

export type LocalPerson = {
  did: string;
  handle: string;
  displayName: string | null;
  avatar: string | null;
};

const COLUMNS = sql`did, handle, display_name as "displayName", avatar`;
const CHOICES = sql.whole(8);

/** The newest of those who have this handle: it is not unique. */
export async function findPerson(db: Db, handle: string): Promise<LocalPerson | null> {
  return db.maybeOne<LocalPerson>(sql`
    select ${COLUMNS} from users where lower(handle) = ${handle} order by created_at desc, id desc limit 1`);
}

export async function findHandle(db: Db, did: string): Promise<string | null> {
  const row = await db.maybeOne<{ handle: string }>(sql`
    select lower(handle) as handle from users where did = ${did}`);
  return row?.handle ?? null;
}

/** Some people to play, the newest first. */
export async function listPeople(db: Db): Promise<LocalPerson[]> {
  return db.many<LocalPerson>(sql`
    select ${COLUMNS} from users where status = 'ACTIVE' and is_active
    order by created_at desc, id desc limit ${CHOICES}`);
}
