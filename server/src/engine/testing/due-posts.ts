import { randomUUIDv7 } from 'node:crypto';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** One post in ten is a thread: its call is not repeatable, unlike the one of a single post. */
const THREAD_EVERY = 10;
const FURTHER = 2;

/** The texts by which the records of a post are told apart. */
export function textsOf(postId: string, isThread: boolean): string[] {
  return isThread ? [postId, ...furtherOf(postId)] : [postId];
}

function furtherOf(postId: string): string[] {
  return Array.from({ length: FURTHER }, (_, index) => `${postId} ${index + 1}`);
}

/** Posts of all users in turn, due at even distances within the time. */
export async function insertDuePosts(db: Db, count: number, withinMs: number): Promise<void> {
  const posts = Array.from({ length: count }, (_, index) => {
    const id = randomUUIDv7();
    const thread = furtherOf(id).map((content) => ({ content }));
    return { id, thread: index % THREAD_EVERY === 0 ? JSON.stringify(thread) : null };
  });
  await db.execute(sql`
    insert into posts (id, user_id, content, languages, status, scheduled_at, thread)
    select given.id, author.id, given.id::text, '{en}', 'PENDING',
      now() + given.number * ${withinMs / count}::float8 * interval '1 millisecond', given.thread
    from unnest(${posts.map(({ id }) => id)}::uuid[], ${posts.map(({ thread }) => thread)}::jsonb[])
      with ordinality as given (id, thread, number)
    join (select id, row_number() over (order by id) as number, count(*) over () as users from users)
      as author on author.number = (given.number - 1) % author.users + 1`);
}

export async function countOpenPosts(db: Db): Promise<number> {
  const { open } = await db.one<{ open: number }>(sql`
    select count(*)::integer as open from posts where claim_at is not null`);
  return open;
}

/** Cuts short what is no lease of a worker: the wait after a failure. */
export async function endBackoffs(db: Db, leaseMs: number): Promise<void> {
  await db.execute(sql`
    update posts set claim_at = now()
    where claim_at > now() + (${leaseMs} + 1000) * interval '1 millisecond'
      and claim_at < 'infinity' and scheduled_at < now()`);
}
