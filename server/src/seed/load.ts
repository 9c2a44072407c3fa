import { authorOf, bulkPosts, bulkUsers } from '@meridian/demo/bulk';
import { Json } from '@meridian/demo/rows';
import type { Cell } from '@meridian/demo/rows';
import { DAY } from '@meridian/demo/times';
import type { Author } from '@meridian/demo/users';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Progress } from '../cli/cli.ts';
import { applyAllDeltas } from '../counters/counters.ts';
import { databaseOn } from '../db/database.ts';
import { isServerError } from '../db/errors.ts';
import { StartError } from '../start-error.ts';

export type Load = { users: number; posts: number; days: number; seed: string; now: number };

const EXISTING_MAX = 200_000;
const TABLES = ['users', 'posts'];
/** For so many rows building indexes anew beats filling them row by row. */
const REBUILD_FROM = 20_000;

/** After an error the caller closes the connection, which rolls everything back. */
export async function load(client: Client, order: Load, progress: Progress): Promise<void> {
  await client.query('begin');
  const work = () => copyAll(client, order, progress);
  const isRebuilt = await shouldRebuild(client, order);
  if (isRebuilt) {
    await withIndexesRebuilt(client, () => withoutTriggers(client, work), progress);
    progress.step('Counts', 1);
    await client.query('select recount()');
    progress.advance(1);
  } else {
    await work();
  }
  await client.query('commit');
  if (!isRebuilt) await applyAllDeltas(databaseOn(client));
  // Without a vacuum the visibility map is empty, and a count has to look at every row.
  progress.step('Statistics', 1);
  await client.query('vacuum (analyze) users, posts, user_post_counters, counter_deltas');
  progress.advance(1);
  progress.finish();
}

/** A delta for each of a million changes would cost more than counting and planning once at the end. */
async function withoutTriggers(client: Client, work: () => Promise<void>): Promise<void> {
  for (const table of TABLES) await client.query(`alter table ${table} disable trigger user`);
  await work();
  await client.query(
    `update posts set claim_at = first_claim_at(scheduled_at, embed, reply_to, thread)
     where claim_at is null and status = 'PENDING'`,
  );
  for (const table of TABLES) await client.query(`alter table ${table} enable trigger user`);
}

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

async function existingAuthors(client: Client): Promise<Author[]> {
  const { rows } = await client.query<{ id: string; did: string; created_ms: string }>(
    `select id, did, floor(extract(epoch from created_at) * 1000)::bigint::text as created_ms
     from users order by created_at, id limit ${EXISTING_MAX}`,
  );
  return rows.map(({ id, did, created_ms }) =>
    authorOf({ id, did, createdAt: Number(created_ms) }),
  );
}

/** A socket takes about this at once; a COPY message for every line would cost more than the line. */
const BATCH_LENGTH = 64 * 1024;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

type Row = Readonly<Record<string, Cell>>;

/** All rows have the columns of the first. */
export async function copyRows(
  client: pg.ClientBase,
  table: string,
  rows: Iterable<Row>,
  onCopied: (count: number) => void = () => {},
): Promise<void> {
  const iterator = rows[Symbol.iterator]();
  const first = iterator.next();
  if (first.done === true) return;
  const columns = Object.keys(first.value);
  const target = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`));
  const source = Readable.from(batches(), { objectMode: true, highWaterMark: 4 });
  await pipeline(source, target);

  function* batches(): Generator<string> {
    let batch = '';
    let count = 0;
    for (let next = first; next.done !== true; next = iterator.next()) {
      batch += copyLine(columns, next.value);
      count += 1;
      if (batch.length < BATCH_LENGTH) continue;
      yield batch;
      batch = '';
      onCopied(count);
    }
    yield batch;
    onCopied(count);
  }
}

function copyLine(columns: readonly string[], row: Row): string {
  return `${columns.map((column) => copyCell(row[column] ?? null)).join('\t')}\n`;
}

function copyCell(cell: Cell): string {
  if (cell === null) return '\\N';
  if (typeof cell === 'string') return escaped(cell);
  if (typeof cell === 'boolean') return cell ? 't' : 'f';
  if (typeof cell === 'number') return String(cell);
  if (cell instanceof Json) return escaped(cell.text);
  return escaped(`{${cell.map((item) => JSON.stringify(item)).join(',')}}`);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? character);
}

const LOCK_NOT_AVAILABLE = '55P03';

/** An error leaves the schema as it was, by the caller's transaction. The tables are locked meanwhile. */
async function withIndexesRebuilt(
  client: Client,
  work: () => Promise<void>,
  progress: Progress,
): Promise<void> {
  await lockTables(client);
  const definitions = await findDefinitions(client);
  for (const { drop } of definitions) await client.query(drop);
  await work();
  await client.query(`set local maintenance_work_mem = '256MB'`);
  progress.step('Indexes', definitions.length);
  for (const [index, { create }] of definitions.entries()) {
    await client.query(create);
    progress.advance(index + 1);
  }
}

async function lockTables(client: Client): Promise<void> {
  try {
    await client.query(`set local lock_timeout = '10s'`);
    await client.query(`lock table ${TABLES.join(', ')} in access exclusive mode`);
  } catch (error) {
    if (!isServerError(error) || error.code !== LOCK_NOT_AVAILABLE) throw error;
    throw new StartError(
      'Another program keeps the tables busy. Nothing was added; stop it or try again later.',
      { cause: error },
    );
  }
}

/** A constraint that another table refers to stays. */
async function findDefinitions(client: Client) {
  const { rows } = await client.query<{ drop: string; create: string }>(
    `select format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as drop,
            format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname,
                   pg_get_constraintdef(c.oid)) as create,
            case c.contype when 'u' then 1 else 3 end as rank
     from pg_constraint c
     where c.conrelid = any($1::regclass[]) and c.contype in ('u', 'f')
       and not exists (select from pg_constraint f
                       where f.contype = 'f' and f.confrelid = c.conrelid and f.conindid = c.conindid)
     union all
     select format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid), 2
     from pg_index i
     where i.indrelid = any($1::regclass[])
       and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
     order by rank, 2`,
    [TABLES],
  );
  return rows;
}
