import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { PictureFile } from './picture-file.ts';

export type MediaRow = PictureFile & { id: string; key: string; bytes: number };

const COLUMNS = sql`id, object_key as key, mime_type as "mimeType", width, height, bytes`;

/** Bytes of a person's pictures. Locked until the transaction ends: uploads come one after the other. */
export async function lockStorageUsed(tx: Db, userId: string): Promise<number> {
  const { bytes } = await tx.one<{ bytes: number }>(sql`
    insert into media_usage as u (user_id) values (${userId})
    on conflict (user_id) do update set bytes = u.bytes returning bytes`);
  return bytes;
}

export async function insertMedia(tx: Db, userId: string, media: MediaRow): Promise<void> {
  await tx.execute(sql`
    insert into media (id, user_id, object_key, mime_type, bytes, width, height)
    values (${media.id}, ${userId}, ${media.key}, ${media.mimeType}, ${media.bytes}, ${media.width},
      ${media.height})`);
}

export async function deleteMedia(db: Db, id: string): Promise<void> {
  await db.execute(sql`delete from media where id = ${id}`);
}

/** The person's own of these, in no order. */
export async function findMedia(
  db: Db,
  userId: string,
  ids: readonly string[],
): Promise<MediaRow[]> {
  return db.many<MediaRow>(sql`
    select ${COLUMNS} from media where user_id = ${userId} and id = any(${ids}::uuid[])`);
}

/** How many of these there are; they stay until the transaction ends. */
export async function lockMedia(tx: Db, userId: string, ids: readonly string[]): Promise<number> {
  return tx.execute(sql`
    select from media where user_id = ${userId} and id = any(${ids}::uuid[])
    order by id for key share`);
}

export async function findMediaByKey(
  db: Db,
  userId: string,
  keys: readonly string[],
): Promise<MediaRow[]> {
  return db.many<MediaRow>(sql`
    select ${COLUMNS} from media where user_id = ${userId} and object_key = any(${keys}::text[])`);
}
