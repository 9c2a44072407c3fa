import type { Post, PostStatus } from '@meridian/contract/posts';
import { entryOf } from '../../audit/entry.ts';
import type { AuditContext } from '../../audit/entry.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { isExpected } from '../../db/version-condition.ts';
import type { ExpectedVersions } from '../../http/entity-version.ts';
import { COLUMNS_WITH_AUTHOR } from './posts-list.store.ts';

const COLUMNS = sql`${COLUMNS_WITH_AUTHOR}, t.facets, t.embed, t.hold, t.cause,
  t.reply_to, t.thread,
  -- Only what can be opened: the other post may be deleted.
  (select o.id from posts o where o.id = t.retry_of) as retry_of,
  (select r.id from posts r where r.retry_of = t.id) as retried_as`;
const STORED = sql`id, user_id, content, facets, embed, languages, status, scheduled_at, created_at,
  updated_at, executed_at, at_uri, at_rkey, error_msg, version, hold, cause, reply_to, thread, retry_of`;

export async function findPost(db: Db, id: string): Promise<Post | null> {
  return db.maybeOne<Post>(sql`
    select ${COLUMNS} from posts t join users u on u.id = t.user_id where t.id = ${id}`);
}

export type PostState = { status: PostStatus; version: number };

export async function findState(db: Db, id: string): Promise<PostState | null> {
  return db.maybeOne<PostState>(sql`select status, version from posts where id = ${id}`);
}

export type StatusChange = {
  from: readonly PostStatus[];
  to: PostStatus;
  expected: ExpectedVersions;
};

/**
 * Null when there is no such post, or its status is not one of `from`, or its version is another
 * than expected. Nothing but the status
 * changes: what the execution left (time, uri, error) stays true for every writer of the status.
 */
export async function setStatus(
  db: Db,
  id: string,
  { from, to, expected }: StatusChange,
  audit: AuditContext,
): Promise<Post | null> {
  return db.maybeOne<Post>(sql`
    with old as (
      select id as key, jsonb_build_object('status', status) as was from posts
      where id = ${id} and status = any(${from}) and ${isExpected(expected)} for no key update),
    changed as (
      update posts set status = ${to}, version = version + 1, updated_at = now() from old where id = key
      returning ${STORED}, was, jsonb_build_object('status', status) as became),
    noted as (${entryOf(audit)})
    select ${COLUMNS} from changed t join users u on u.id = t.user_id`);
}

/**
 * Nothing is ever removed from the audit log, so it does not hold what people wrote. With the hash a
 * text that is kept elsewhere can be recognised as the deleted one.
 */
export const DELETED_POST = sql`jsonb_build_object(
  'user_id', user_id, 'status', status, 'scheduled_at', scheduled_at, 'created_at', created_at,
  'executed_at', executed_at, 'at_uri', at_uri,
  'content_sha256', encode(sha256(convert_to(content, 'UTF8')), 'hex'))`;

export async function deletePost(
  db: Db,
  id: string,
  expected: ExpectedVersions,
  audit: AuditContext,
): Promise<boolean> {
  const deleted = await db.execute(sql`
    with changed as (
      delete from posts where id = ${id} and ${isExpected(expected)}
      returning id, ${DELETED_POST} as was, null::jsonb as became),
    noted as (${entryOf(audit)})
    select from changed`);
  return deleted > 0;
}
