import type { Client } from 'pg';
import { applyDeltas } from '../../counters/counters.store.ts';
import { databaseOn } from '../../db/database.ts';
import { copyLines } from '../copy.ts';
import { StartError } from '../../start-error.ts';
import { DAY } from '../times.ts';
import { existingAuthors, newUserLines, USER_COLUMNS } from './authors.ts';
import type { BulkAuthor } from './authors.ts';
import { prepareContents } from './contents.ts';
import { POST_COLUMNS, postLines } from './post-lines.ts';
import type { Progress } from './progress.ts';
import { withIndexesSetAside } from './set-aside.ts';

export type Load = { users: number; posts: number; days: number; seed: string; now: number };

/** About what a socket takes at once; a COPY message for every line would cost more than the line. */
const BATCH_LENGTH = 64 * 1024;
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
    await withIndexesSetAside(client, ['users', 'posts'], {
      work: () => withoutNotes(client, work),
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
  if (!isRebuilt) await foldAll(client);
  // Vacuum too: without it a count has to look at every row, as nobody knows yet that all can see it.
  progress.step('Statistics', 1);
  await client.query('vacuum (analyze) users, posts, user_post_counters, counter_deltas');
  progress.advance(1);
  progress.finish();
}

/** Noting each of a million changes would cost more than counting once at the end. */
async function withoutNotes(client: Client, work: () => Promise<void>): Promise<void> {
  const tables = ['users', 'posts'];
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`);
  await work();
  for (const table of tables) await client.query(`alter table ${table} enable trigger user`);
}

/** Now rather than by the next reader. Stops when another process is already at it. */
async function foldAll(client: Client): Promise<void> {
  let folded: number;
  do {
    folded = await applyDeltas(databaseOn(client));
  } while (folded > 0);
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
  let authors: BulkAuthor[] = [];
  if (users > 0) {
    progress.step('Users', users);
    const lines = newUserLines(seed, users, span, (author) => authors.push(author));
    await copyLines(client, 'users', USER_COLUMNS, batches(lines, progress));
  } else {
    authors = await existingAuthors(client, seed);
  }
  if (posts === 0) return;
  const [oldest] = authors;
  if (oldest === undefined) {
    throw new StartError('Posts need users, and there are none yet. Add some with --users N.');
  }
  progress.step('Posts', posts);
  const from = Math.max(span.from, Math.min(oldest.createdAt + 1, now - DAY));
  const lines = postLines(seed, posts, authors, {
    span: { from, now },
    contents: prepareContents(seed),
  });
  await copyLines(client, 'posts', POST_COLUMNS, batches(lines, progress));
}

function* batches(lines: Iterable<string>, progress: Progress): Generator<string> {
  let batch = '';
  let done = 0;
  for (const line of lines) {
    batch += line;
    done += 1;
    if (batch.length < BATCH_LENGTH) continue;
    yield batch;
    batch = '';
    progress.advance(done);
  }
  if (batch !== '') yield batch;
  progress.advance(done);
}
