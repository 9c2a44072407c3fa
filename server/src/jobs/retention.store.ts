import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

const PEOPLE = sql.whole(200);
const POSTS = sql.whole(500);
const PICTURES = sql.whole(500);

/** Some 2,700 years: a plan may name more days than there are in PostgreSQL's calendar. */
const DAYS_MAX = sql.whole(1_000_000);

/** The next people by id, with the days that the plan in force of each keeps posts; -1: for ever. */
export async function listPeople(
  db: Db,
  afterId: string,
): Promise<{ userId: string; days: number }[]> {
  return db.many(sql`
    select u.id as "userId",
      least(coalesce((effective_limits(u.id) ->> 'data_retention_days')::integer, -1), ${DAYS_MAX}) as days
    from users u where u.id > ${afterId} order by u.id limit ${PEOPLE}`);
}

/**
 * Deletes a batch of final posts of these people that both were scheduled and ended longer ago than
 * their days, with journal and attempts. Returns how many; none when nothing is left.
 * A post that may be on its way to the network is left until that is known.
 */
export async function deleteOldPosts(
  db: Db,
  people: readonly { userId: string; days: number }[],
): Promise<number> {
  const { deleted } = await db.one<{ deleted: number }>(sql`
    with old as materialized (
      select p.id from unnest(${people.map(({ userId }) => userId)}::uuid[],
                              ${people.map(({ days }) => days)}::integer[]) as person (id, days)
      cross join lateral (
        select p.id from posts p
        where p.user_id = person.id and p.status in ('COMPLETED', 'FAILED', 'CANCELLED')
          and p.scheduled_at < now() - make_interval(days => person.days)
          and coalesce(p.executed_at, p.updated_at) < now() - make_interval(days => person.days)
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

/** Deletes a batch of pictures that no post has had for a day. Returns how many. */
export async function deleteUnusedPictures(db: Db): Promise<number> {
  return db.execute(sql`
    delete from media where unused_since < now() - interval '1 day' and id in (
      select id from media where unused_since < now() - interval '1 day'
      order by unused_since limit ${PICTURES} for update skip locked)`);
}

/** Objects of pictures that are deleted; at most a batch. */
export async function listDeletedObjects(db: Db): Promise<string[]> {
  const rows = await db.many<{ key: string }>(sql`
    select object_key as key from object_deletions limit ${PICTURES}`);
  return rows.map(({ key }) => key);
}

/** Of people who were deleted: their sessions are ended after the commit, unless the process dies before. */
export async function deleteLostSessions(db: Db): Promise<void> {
  await db.execute(sql`
    delete from oauth_sessions o where o.refreshed_at < now() - interval '1 hour'
      and not exists (select from users u where u.did = o.did)`);
}

export async function forgetDeletedObjects(db: Db, keys: readonly string[]): Promise<void> {
  await db.execute(sql`delete from object_deletions where object_key = any(${keys}::text[])`);
}

export type Deleted = { posts: number; pictures: number };

export async function saveRetention(db: Db, { posts, pictures }: Deleted): Promise<void> {
  await db.execute(sql`
    update retention_state set finished_at = now(), posts_deleted = posts_deleted + ${posts}::integer,
      pictures_deleted = pictures_deleted + ${pictures}::integer`);
}
