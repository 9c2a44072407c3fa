import { authorOf, bulkPosts, bulkUsers } from '@meridian/demo/bulk';
import { DAY } from '@meridian/demo/times';
import type { Author } from '@meridian/demo/users';
import type { Client } from 'pg';
import { applyAllDeltas } from '../counters/counters.store.ts';
import { databaseOn } from '../db/database.ts';
import { StartError } from '../start-error.ts';
import { copyRows } from './copy.ts';
import type { Progress } from '../cli/cli.ts';
import { withIndexesRebuilt } from './rebuild-indexes.ts';

export type Load = { users: number; posts: number; days: number; seed: string; now: number };

const EXISTING_MAX = 200_000;
/** From here on building indexes anew beats filling them row by row. */
const REBUILD_FROM = 20_000;

/**
 * Adds everything in one transaction: all of it or nothing. After an error the caller closes the
 * connection, which rolls back.
 */
export async function load(client: Client, order: Load, progress: Progress): Promise<void> {
  await client.query('begin');
  const work = () => copyAll(client, order, progress);
  const isRebuilt = await shouldRebuild(client, order);
  if (isRebuilt) {
    await withIndexesRebuilt(client, ['users', 'posts'], {
      work: () => withoutTriggers(client, work),
      onRebuilt(done, total) {
        if (done === 0) progress.step('Indexes', total);
        else progress.advance(done);
      },
    });
    progress.step('Counts', 1);
    await client.query('select recount()');
    progress.advance(1);
  } else {
    await work();
  }
  await client.query('commit');
  if (!isRebuilt) await applyAllDeltas(databaseOn(client));
  // Vacuum too: without it a count has to look at every row, as the visibility map is still empty.
  progress.step('Statistics', 1);
  await client.query('vacuum (analyze) users, posts, user_post_counters, counter_deltas');
  progress.advance(1);
  progress.finish();
}

/** A delta for each of a million changes would cost more than counting and planning once at the end. */
async function withoutTriggers(client: Client, work: () => Promise<void>): Promise<void> {
  const tables = ['users', 'posts'];
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`);
  await work();
  await client.query(
    `update posts set claim_at = first_claim_at(scheduled_at, embed, reply_to, thread)
     where claim_at is null and status = 'PENDING'`,
  );
  for (const table of tables) await client.query(`alter table ${table} enable trigger user`);
}

/** Rebuilding costs by all rows, filling by the new ones: it pays when the new ones are the most. */
async function shouldRebuild(client: Client, { users, posts }: Load): Promise<boolean> {
  const added = users + posts;
  if (added < REBUILD_FROM) return false;
  const { rows } = await client.query<{ is_small: boolean }>(
    `select (select count(*) from (select from posts limit $1) as some_posts)
          + (select count(*) from (select from users limit $1) as some_users) < $1 as is_small`,
    [added],
  );
  return rows[0]?.is_small === true;
}

async function copyAll(client: Client, order: Load, progress: Progress): Promise<void> {
  const { users, posts, days, seed, now } = order;
  const span = { from: now - days * DAY, now };
  const advance = (count: number) => progress.advance(count);
  let authors: Author[] = [];
  if (users > 0) {
    progress.step('Users', users);
    await copyRows(client, 'users', userRows(), advance);
  } else {
    authors = await existingAuthors(client);
  }
  if (posts === 0) return;
  const [oldest] = authors;
  if (oldest === undefined) {
    throw new StartError('Posts need users, and there are none yet. Add some with --users N.');
  }
  progress.step('Posts', posts);
  const from = Math.max(span.from, Math.min(oldest.createdAt + 1, now - DAY));
  await copyRows(client, 'posts', bulkPosts(seed, posts, authors, { from, now }), advance);

  function* userRows() {
    for (const user of bulkUsers(seed, users, span)) {
      authors.push(user);
      yield user.row;
    }
  }
}

/** Oldest first. */
async function existingAuthors(client: Client): Promise<Author[]> {
  const { rows } = await client.query<{ id: string; did: string; created_ms: string }>(
    `select id, did, floor(extract(epoch from created_at) * 1000)::bigint::text as created_ms
     from users order by created_at, id limit ${EXISTING_MAX}`,
  );
  return rows.map(({ id, did, created_ms }) =>
    authorOf({ id, did, createdAt: Number(created_ms) }),
  );
}
