import { propertyOf } from '@meridian/contract/untrusted';
import { demoFiles, makeDemoRows } from '@meridian/demo';
import type { DemoRows, createDemoWriter } from '@meridian/demo';
import { Json } from '@meridian/demo/rows';
import { readFile } from 'node:fs/promises';
import type { Client, ClientConfig } from 'pg';
import type { Logger } from 'pino';
import { startBackgroundTask } from '../background-task.ts';
import type { BackgroundTask } from '../background-task.ts';
import { uuidV7 } from '../db/columns.ts';
import { databaseOn, newClient } from '../db/database.ts';
import type { Db } from '../db/database.ts';
import { LOCKS, sql } from '../db/sql.ts';
import { buildRecord, readEmbed } from '../engine/record.ts';
import { cidOfRecord } from '../network/identity.ts';
import { POST_COLLECTION } from '../network/network.ts';
import { inParallel } from '../objects/objects.ts';
import type { ObjectStore } from '../objects/objects.ts';
import { StartError } from '../start-error.ts';
import { copyRows } from './load.ts';

const UPLOADS_AT_ONCE = 12;

type DemoOptions = {
  connection: ClientConfig;
  store: ObjectStore;
  now: Date;
  onProgress?: (step: string) => void;
};
type DemoResult =
  | { isSeeded: false }
  | { isSeeded: true; users: number; posts: number; files: number };

/** A second process waits for the lock, then finds the work done. */
export async function seedDemoData(options: DemoOptions): Promise<DemoResult> {
  const { connection, store, now, onProgress = () => {} } = options;
  const client = newClient({ connectionTimeoutMillis: 15_000, ...connection });
  await client.connect();
  try {
    const db = databaseOn(client);
    await db.execute(sql`select pg_advisory_lock(${LOCKS.demo})`);
    if (!(await isDatabaseEmpty(db))) return { isSeeded: false };
    const admin = await db.maybeOne<{ id: string }>(
      sql`select id from admins order by created_at, id limit 1`,
    );
    if (admin === null) throw new StartError('Demonstration data needs an administrator first.');
    onProgress('writing posts');
    const urlOf = (key: string) => store.publicUrl(key);
    const demo = makeDemoRows({ now: now.getTime(), issuerId: admin.id, urlOf });
    // The files come before the rows that refer to them.
    onProgress('storing pictures');
    const files = demoFiles();
    await inParallel(files, UPLOADS_AT_ONCE, async ({ key, file }) =>
      store.put(key, await readFile(file)),
    );
    onProgress('filling the database');
    await insertAll(client, demo);
    const { users, posts } = demo;
    return { isSeeded: true, users: users.length, posts: posts.length, files: files.length };
  } finally {
    // The end of the connection ends the lock too.
    await client.end();
  }
}

export async function isDatabaseEmpty(db: Db): Promise<boolean> {
  const row = await db.one<{ is_empty: boolean }>(sql`
    select not exists (select from users)
       and not exists (select from posts)
       and not exists (select from plans)
       and not exists (select from tickets)
       and not exists (select from currencies) as is_empty`);
  return row.is_empty;
}

async function insertAll(client: Client, demo: DemoRows): Promise<void> {
  // An error leaves the transaction open; closing the connection then rolls it back.
  await client.query('begin');
  await copyRows(client, 'currencies', demo.currencies);
  // Tickets are issued for active plans only, and some plans were closed after that.
  const opened = demo.plans.map((plan) => Object.assign({}, plan, { is_active: true }));
  await copyRows(client, 'plans', opened);
  await copyRows(client, 'plan_prices', demo.prices);
  await copyRows(client, 'users', demo.users);
  await copyRows(client, 'posts', demo.posts);
  await copyRows(client, 'local_records', referredRecords(demo));
  await copyRows(client, 'tickets', demo.tickets);
  await copyRows(client, 'plan_assignments', demo.assignments);
  const closed = demo.plans.filter((plan) => !plan.is_active).map(({ id }) => id);
  await client.query('update plans set is_active = false where id = any($1)', [closed]);
  await client.query('commit');
  // The first screens should have good plans before autovacuum runs.
  await client.query('select apply_counter_deltas(1000000)');
  await client.query('analyze users, posts, tickets, plan_assignments, user_post_counters');
}

const MINUTE_MS = 60_000;
const NIGHT_ENDS_AT = 6;
const NIGHT_STEP = 10;
/** The mark replaces the random bytes of an id: only posts that are known by it are deleted here. */
const MARK = Buffer.from('demonstrat');
const ID_END = MARK.toString('hex').slice(-12);

export function nextDueAt(now: Date): Date {
  const stepMs = (now.getHours() < NIGHT_ENDS_AT ? NIGHT_STEP : 1) * MINUTE_MS;
  return new Date((Math.floor(now.getTime() / stepMs) + 1) * stepMs);
}

// No post is added while the last one waits, as in a suspension. When a user writes, that user's posts
// from here that are older than a day are deleted with their records: some 1,500 are there at most.
export function createFurtherPosts(db: Db, write: ReturnType<typeof createDemoWriter>) {
  let last: string | null = null;
  return async (now: Date): Promise<void> => {
    const dueAt = nextDueAt(now);
    const id = uuidV7(dueAt.getTime(), MARK);
    if (id === last) return;
    const { did, content, facets, embed, languages } = write();
    await db.execute(sql`
      with gone as (
        delete from posts p using users u
        where u.did = ${did} and p.user_id = u.id and right(p.id::text, 12) = ${ID_END}
          and p.status in ('COMPLETED', 'FAILED', 'CANCELLED')
          and p.scheduled_at < ${now}::timestamptz - interval '1 day'
        returning p.id, p.at_rkey),
      journal as (delete from deliveries d using gone where d.post_id = gone.id)
      delete from local_records r using gone
      where r.did = ${did} and r.collection = ${POST_COLLECTION} and r.rkey = gone.at_rkey`);
    const added = await db.execute(sql`
      insert into posts (id, user_id, content, facets, embed, languages, scheduled_at)
      select ${id}, u.id, ${content}, ${facets?.text ?? null}::jsonb, ${embed?.text ?? null}::jsonb,
        ${[...languages]}::text[], ${dueAt}
      from users u
      where u.did = ${did} and u.status = 'ACTIVE' and u.is_active and not exists (
        select from posts p where p.id = ${last}::uuid and p.status in ('PENDING', 'PROCESSING'))
      on conflict do nothing`);
    if (added > 0) last = id;
  };
}

export function startFurtherPosts(db: Db, log: Logger): BackgroundTask {
  let next: ReturnType<typeof createFurtherPosts> | undefined;
  return startBackgroundTask({
    name: 'schedule further demonstration posts',
    intervalMs: MINUTE_MS / 2,
    log,
    async run() {
      if (next === undefined) {
        const demo = await import('@meridian/demo');
        next = createFurtherPosts(db, demo.createDemoWriter(Date.now()));
      }
      await next(new Date());
    },
  });
}

/** The posts that others reply to or quote must be on the local network. */
function referredRecords({ posts }: Pick<DemoRows, 'posts'>) {
  const referred = new Set(
    posts.flatMap(({ reply_to, embed }) => [
      reply_to,
      propertyOf(propertyOf(embed?.toJSON(), 'record'), 'uri'),
    ]),
  );
  return posts.flatMap((post) => {
    const { at_uri: uri, at_rkey: rkey, executed_at: indexedAt, facets } = post;
    if (uri === null || rkey === null || indexedAt === null || !referred.has(uri)) return [];
    const record = buildRecord(
      { ...post, facets: facets?.toJSON(), languages: [...post.languages] },
      {
        createdAt: new Date(indexedAt),
        embed: readEmbed(null),
        images: [],
        thumb: null,
        quote: null,
        reply: null,
      },
    );
    return {
      did: uri.split('/')[2] ?? '',
      collection: POST_COLLECTION,
      rkey,
      cid: cidOfRecord(record),
      record: new Json(record),
      indexed_at: indexedAt,
    };
  });
}
