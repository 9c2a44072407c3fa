import type { Post, PostStatus } from '@meridian/contract/posts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { LISTED_COLUMNS } from './posts-list.store.ts';

const COLUMNS = sql`${LISTED_COLUMNS}, p.facets, p.embed, p.languages`;

export async function findPost(db: Db, id: string): Promise<Post | null> {
  return db.maybeOne<Post>(sql`
    select ${COLUMNS} from posts p join users u on u.id = p.user_id where p.id = ${id}`);
}

export async function findStatus(db: Db, id: string): Promise<PostStatus | null> {
  const row = await db.maybeOne<{ status: PostStatus }>(sql`
    select status from posts where id = ${id}`);
  return row?.status ?? null;
}

export type StatusChange = { from: readonly PostStatus[]; to: PostStatus };

/**
 * Null when there is no such post, or its status is not one of `from`. Nothing but the status
 * changes: what the execution left (time, uri, error) stays true whoever sets the status.
 */
export async function setStatus(
  db: Db,
  id: string,
  { from, to }: StatusChange,
): Promise<Post | null> {
  return db.maybeOne<Post>(sql`
    update posts p set status = ${to}, updated_at = now()
    from users u
    where p.id = ${id} and p.status = any(${from}) and u.id = p.user_id
    returning ${COLUMNS}`);
}

export async function deletePost(db: Db, id: string): Promise<boolean> {
  return (await db.execute(sql`delete from posts where id = ${id}`)) > 0;
}
