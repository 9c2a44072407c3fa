import type { Database, Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { inParallel } from '../objects/objects.ts';
import type { ObjectStore } from '../objects/objects.ts';

export const RETENTION_TASK = 'retention';
/** The queue runs this in one process only. */
export const RETENTION_CRON = `17 * * * * ${RETENTION_TASK} ?max=3&jobKey=${RETENTION_TASK}`;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const OBJECTS_AT_ONCE = 8;

/** Each batch is a statement of its own; a run that was stopped is continued by the next. */
export async function runRetention({
  db,
  objects,
  signal,
}: {
  db: Database;
  objects: ObjectStore;
  signal: AbortSignal;
}) {
  async function repeated(batch: () => Promise<number>): Promise<number> {
    let sum = 0;
    while (!signal.aborted) {
      const done = await batch();
      if (done === 0) break;
      sum += done;
    }
    return sum;
  }

  const deleted = { posts: 0, pictures: 0 };
  for (let after: string | undefined = FIRST_ID; after !== undefined && !signal.aborted;) {
    const users = await listUsers(db, after);
    const limited = users.filter(({ days }) => days >= 0);
    deleted.posts += await repeated(() => deleteOldPosts(db, limited));
    after = users.at(-1)?.id;
  }
  deleted.pictures = await repeated(() => deleteUnusedPictures(db));
  await repeated(() => deleteObjects(db, objects));
  await deleteLostSessions(db);
  await db.execute(sql`
    update retention_state set finished_at = now(),
      posts_deleted = posts_deleted + ${deleted.posts}::integer,
      pictures_deleted = pictures_deleted + ${deleted.pictures}::integer`);
  return deleted;
}

const USERS = sql.whole(200);
const POSTS = sql.whole(500);
const PICTURES = sql.whole(500);
/** A plan may name more days than there are in PostgreSQL's calendar. */
const DAYS_MAX = sql.whole(1_000_000);

type UserRow = { id: string; days: number };

async function listUsers(db: Db, afterId: string): Promise<UserRow[]> {
  return db.many<UserRow>(sql`
    select u.id,
      least(coalesce((effective_limits(u.id) ->> 'data_retention_days')::integer, -1), ${DAYS_MAX}) as days
    from users u where u.id > ${afterId} order by u.id limit ${USERS}`);
}

/** A post that may be on its way to the network is left until that is known. */
async function deleteOldPosts(db: Db, users: readonly UserRow[]): Promise<number> {
  const { deleted } = await db.one<{ deleted: number }>(sql`
    with old as materialized (
      select p.id from unnest(${users.map(({ id }) => id)}::uuid[],
                              ${users.map(({ days }) => days)}::integer[]) as member (id, days)
      cross join lateral (
        select p.id from posts p
        where p.user_id = member.id and p.status in ('COMPLETED', 'FAILED', 'CANCELLED')
          and p.scheduled_at < now() - make_interval(days => member.days)
          and coalesce(p.executed_at, p.updated_at) < now() - make_interval(days => member.days)
          and not exists (select from deliveries d where d.post_id = p.id and p.at_uri is null
                          and d.settled_at is null and d.journalled_at > now() - interval '1 hour')
        limit ${POSTS}) as p
      limit ${POSTS}),
    gone as (
      delete from posts p using old
      where p.id = old.id and (p.status in ('COMPLETED', 'FAILED', 'CANCELLED')) is true returning p.id),
    journal as (delete from deliveries d using gone where d.post_id = gone.id)
    select count(*)::integer as deleted from gone`);
  return deleted;
}

async function deleteUnusedPictures(db: Db): Promise<number> {
  return db.execute(sql`
    delete from media where unused_since < now() - interval '1 day' and id in (
      select id from media where unused_since < now() - interval '1 day'
      order by unused_since limit ${PICTURES} for update skip locked)`);
}

/** A store that does not respond fails the job, which is run again. */
async function deleteObjects(db: Db, objects: ObjectStore): Promise<number> {
  const rows = await db.many<{ key: string }>(sql`
    select object_key as key from object_deletions limit ${PICTURES}`);
  const keys = rows.map(({ key }) => key);
  await inParallel(keys, OBJECTS_AT_ONCE, (key) => objects.delete(key));
  await db.execute(sql`delete from object_deletions where object_key = any(${keys}::text[])`);
  return keys.length;
}

/** Sessions of deleted users end after the commit of the deletion, unless the process dies before. */
async function deleteLostSessions(db: Db): Promise<void> {
  await db.execute(sql`
    delete from oauth_sessions o where o.refreshed_at < now() - interval '1 hour'
      and not exists (select from users u where u.did = o.did)`);
}
