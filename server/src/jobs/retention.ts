import type { Database, Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { inParallel } from '../objects/objects.ts';
import type { ObjectStore } from '../objects/objects.ts';

export const RETENTION_TASK = 'retention';
/** Every hour; the queue runs it in one process only. */
export const RETENTION_CRON = `17 * * * * ${RETENTION_TASK} ?max=3&jobKey=${RETENTION_TASK}`;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const OBJECTS_AT_ONCE = 8;

type Surroundings = { db: Database; objects: ObjectStore; signal: AbortSignal };

/**
 * Deletes what the plans in force no longer keep: final posts past `data_retention_days`, and pictures
 * without a post; and what a deleted person left. In batches, each a statement of its own; stopped, it goes on with the next run.
 */
export async function runRetention({ db, objects, signal }: Surroundings): Promise<Deleted> {
  const deleted: Deleted = { posts: 0, pictures: 0 };
  for (let after: string | undefined = FIRST_ID; after !== undefined && !signal.aborted;) {
    const people = await listPeople(db, after);
    const limited = people.filter(({ days }) => days >= 0);
    deleted.posts += await repeated(signal, () => deleteOldPosts(db, limited));
    after = people.at(-1)?.userId;
  }
  deleted.pictures = await repeated(signal, () => deleteUnusedPictures(db));
  await repeated(signal, () => deleteObjects(db, objects));
  await deleteLostSessions(db);
  await saveRetention(db, deleted);
  return deleted;
}

/** Until a batch finds nothing; the sum of all batches. */
async function repeated(signal: AbortSignal, batch: () => Promise<number>): Promise<number> {
  let sum = 0;
  while (!signal.aborted) {
    const done = await batch();
    if (done === 0) break;
    sum += done;
  }
  return sum;
}

/** A store that does not respond fails the job; the queue runs it again. */
async function deleteObjects(db: Database, objects: ObjectStore): Promise<number> {
  const keys = await listDeletedObjects(db);
  await inParallel(keys, OBJECTS_AT_ONCE, (key) => objects.delete(key));
  await forgetDeletedObjects(db, keys);
  return keys.length;
}

const PEOPLE = sql.whole(200);
const POSTS = sql.whole(500);
const PICTURES = sql.whole(500);

/** Some 2,700 years: a plan may name more days than there are in PostgreSQL's calendar. */
const DAYS_MAX = sql.whole(1_000_000);

/** The next people by id, with the days that the plan in force of each keeps posts; -1: for ever. */
async function listPeople(db: Db, afterId: string): Promise<{ userId: string; days: number }[]> {
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
async function deleteOldPosts(
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
async function deleteUnusedPictures(db: Db): Promise<number> {
  return db.execute(sql`
    delete from media where unused_since < now() - interval '1 day' and id in (
      select id from media where unused_since < now() - interval '1 day'
      order by unused_since limit ${PICTURES} for update skip locked)`);
}

/** Objects of pictures that are deleted; at most a batch. */
async function listDeletedObjects(db: Db): Promise<string[]> {
  const rows = await db.many<{ key: string }>(sql`
    select object_key as key from object_deletions limit ${PICTURES}`);
  return rows.map(({ key }) => key);
}

/** Of people who were deleted: their sessions are ended after the commit, unless the process dies before. */
async function deleteLostSessions(db: Db): Promise<void> {
  await db.execute(sql`
    delete from oauth_sessions o where o.refreshed_at < now() - interval '1 hour'
      and not exists (select from users u where u.did = o.did)`);
}

async function forgetDeletedObjects(db: Db, keys: readonly string[]): Promise<void> {
  await db.execute(sql`delete from object_deletions where object_key = any(${keys}::text[])`);
}

type Deleted = { posts: number; pictures: number };

async function saveRetention(db: Db, { posts, pictures }: Deleted): Promise<void> {
  await db.execute(sql`
    update retention_state set finished_at = now(), posts_deleted = posts_deleted + ${posts}::integer,
      pictures_deleted = pictures_deleted + ${pictures}::integer`);
}
