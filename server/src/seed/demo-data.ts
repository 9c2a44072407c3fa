import { readFile } from 'node:fs/promises';
import { demoFiles, makeDemoRows } from '@meridian/demo';
import type { DemoRows } from '@meridian/demo';
import { Client } from 'pg';
import type { ClientConfig } from 'pg';
import type { Db } from '../db/database.ts';
import { databaseOn } from '../db/database.ts';
import { LOCKS } from '../db/lock-keys.ts';
import { sql } from '../db/sql.ts';
import { inParallel } from '../objects/in-parallel.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { StartError } from '../start-error.ts';
import { copyRows } from './copy.ts';
import { referredRecords } from './referred-records.ts';

const UPLOADS_AT_ONCE = 12;

export type DemoOptions = {
  connection: ClientConfig;
  store: ObjectStore;
  now: Date;
  onProgress?: (step: string) => void;
};
export type DemoResult =
  | { isSeeded: false }
  | { isSeeded: true; users: number; posts: number; files: number };

/** Without anything that an administrator or the service has written. */
export async function isDatabaseEmpty(db: Db): Promise<boolean> {
  const row = await db.one<{ is_empty: boolean }>(sql`
    select not exists (select from users)
       and not exists (select from posts)
       and not exists (select from plans)
       and not exists (select from tickets)
       and not exists (select from currencies) as is_empty`);
  return row.is_empty;
}

/**
 * Fills an empty database with a believable service, all or nothing; leaves any other alone. A
 * second process waits for the lock, then finds the work done.
 */
export async function seedDemoData(options: DemoOptions): Promise<DemoResult> {
  const { connection, store, now, onProgress = () => {} } = options;
  const client = new Client({ connectionTimeoutMillis: 15_000, ...connection });
  // A connection that breaks between two statements reports here; the next statement then fails.
  client.on('error', () => {});
  await client.connect();
  try {
    const db = databaseOn(client);
    await db.execute(sql`select pg_advisory_lock(${LOCKS.demo})`);
    if (!(await isDatabaseEmpty(db))) return { isSeeded: false };
    const issuerId = await firstAdministrator(db);
    onProgress('writing posts');
    const demo = makeDemoRows({
      now: now.getTime(),
      issuerId,
      urlOf: (key) => store.publicUrl(key),
    });
    // Before the rows: a row must never refer to a missing file.
    onProgress('storing pictures');
    const files = demoFiles();
    await inParallel(files, UPLOADS_AT_ONCE, async ({ key, file }) =>
      store.put(key, await readFile(file)),
    );
    onProgress('filling the database');
    await insertAll(client, demo);
    return {
      isSeeded: true,
      users: demo.users.length,
      posts: demo.posts.length,
      files: files.length,
    };
  } finally {
    // Ends the lock too.
    await client.end();
  }
}

async function firstAdministrator(db: Db): Promise<string> {
  const admin = await db.maybeOne<{ id: string }>(
    sql`select id from admins order by created_at, id limit 1`,
  );
  if (admin === null) throw new StartError('Demonstration data needs an administrator first.');
  return admin.id;
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
  // Not left to autovacuum: the first screens should have good plans.
  await client.query('select apply_counter_deltas(1000000)');
  await client.query('analyze users, posts, tickets, plan_assignments, user_post_counters');
}
