import { Client } from 'pg';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, setUpApp } from '../../test/app.ts';
import { createTestDatabase } from '../../test/cluster/test-database.ts';
import { grantPlan, insertPost, insertUser } from '../../test/fixtures.ts';
import { insertManyPosts } from '../../test/many-posts.ts';
import { SESSION_SETTINGS, openDatabase, settingStatements } from '../db/database.ts';
import { ENGINE_PLANS, sql } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { releaseQuota } from '../features/plans/plans.store.ts';
import { claimStatement } from './claim.ts';
import { ENGINE_SETTINGS } from './engine.ts';
import { journalStatement } from './journal.ts';
import type { Situation } from './outcome.ts';
import {
  failTooLate,
  publishedStatement,
  release,
  renewStatement,
  retryByHost,
  settleUnpublished,
  unpublishedStatement,
} from './settle.ts';
import { OPTIONS, inMinutes, setUpClaims } from './testing/claims.ts';

/** Of no matter to a host that is busy. */
const SITUATION = {} as Situation;
const UNSENT = {
  writes: [],
  journalledAt: 0,
  maybeSent: false,
  firstSentAt: 0,
  failures: 0,
  faults: 0,
};
const NOW_MS = sql`select (extract(epoch from now()) * 1000)::float8 as now`;

describe.each(ENGINES)('claims on %s', (engine) => {
  const { db, ada, due, claim, ids, post } = setUpClaims(engine);

  test('take what is due or nearly so, oldest first, and nothing twice', async () => {
    const [late, later] = [await due(3), await due(1)];
    await insertPost(db(), ada(), { status: 'PENDING', scheduled_at: inMinutes(1) });
    for (const status of ['COMPLETED', 'FAILED', 'CANCELLED'] as const) {
      await insertPost(db(), ada(), { status, scheduled_at: inMinutes(-1) });
    }
    expect((await ids()).toSorted()).toEqual([late, later].toSorted());
    expect(await post(late)).toMatchObject({ status: 'PROCESSING', attempt: 1, version: 2 });
    expect(await ids()).toEqual([]);
  });

  test.each([
    { name: 'in the hands of a worker', change: sql`status = 'PROCESSING'`, found: 'posts' },
    { name: 'decided by hand', change: sql`status = 'CANCELLED'`, found: 'decided' },
  ] as const)('look ahead for nothing that is $name', async ({ change, found }) => {
    const id = await due();
    const farAhead = { lookaheadMs: 60_000, leaseMs: 30_000 };
    expect((await claim(farAhead)).posts).toHaveLength(1);
    await db().execute(sql`update posts set ${change} where id = ${id}`);
    expect(await claim(farAhead)).toMatchObject({ posts: [], decided: [], examined: 0 });
    await db().execute(sql`update posts set claim_at = now() where id = ${id}`);
    expect((await claim(farAhead))[found]).toMatchObject([{ id }]);
    expect(await claim(farAhead)).toMatchObject({ posts: [], decided: [], examined: 0 });
  });

  test('take nothing while the service is suspended', async () => {
    const id = await due();
    await db().execute(sql`update service_settings set is_service_suspended = true`);
    expect(await ids()).toEqual([]);
    expect(await post(id)).toMatchObject({ status: 'PENDING', hold: null });
    await db().execute(sql`update service_settings set is_service_suspended = false`);
    expect(await ids()).toEqual([id]);
  });

  test.each([
    ['inactive', sql`is_active = false`, sql`is_active = true`],
    ['suspended', sql`status = 'SUSPENDED'`, sql`status = 'ACTIVE'`],
    ['blocked', sql`status = 'BLOCKED'`, sql`status = 'RESTRICTED'`],
  ])('hold the posts of a user who is %s, until that ends', async (_, off, on) => {
    const id = await due();
    await db().execute(sql`update users set ${off} where id = ${ada()}`);
    expect(await claim()).toMatchObject({ posts: [], held: 1 });
    expect(await post(id)).toMatchObject({
      status: 'PENDING',
      hold: 'user_off',
      is_held: true,
      version: 1,
    });
    expect(await ids()).toEqual([]);
    await db().execute(sql`update users set ${on} where id = ${ada()}`);
    expect(await ids()).toEqual([id]);
  });

  test('hold the posts of users who have to connect their account', async () => {
    const id = await due();
    expect(await claim({ defaultHost: null })).toMatchObject({ posts: [], held: 1 });
    expect(await post(id)).toMatchObject({ hold: 'reconnect' });
    await db().execute(
      sql`insert into accounts (user_id, host) values (${ada()}, 'https://pds.test')`,
    );
    expect((await claim({ defaultHost: null })).posts).toMatchObject([
      { id, host: 'https://pds.test' },
    ]);
  });

  test('fail what is past the late limit, in a sentence', async () => {
    const id = await due(61);
    const [late] = (await claim()).posts;
    if (late === undefined) throw new Error('Nothing was claimed');
    expect(late).toMatchObject({ id, tooLate: 'limit' });
    await settleUnpublished(db(), [failTooLate(late, OPTIONS.lateLimitMs, Date.now())]);
    expect(await post(id)).toMatchObject({ status: 'FAILED', cause: 'too_late', claim_at: null });
    expect((await post(id)).error_msg).toMatch(/61 min late, the limit is 60 min/);
  });

  test('judge what waited for a suspension as of its end', async () => {
    const id = await due(61);
    await db().execute(sql`update service_settings set is_service_suspended = true`);
    await db().execute(sql`
      update service_settings set is_service_suspended = false`);
    await db().execute(sql`update service_settings set resumed_at = now() - interval '2 minutes'`);
    expect(await ids()).toEqual([id]);
  });

  const resumed = (minutesAgo: number) =>
    db().execute(sql`
      update service_settings set resumed_at = now() - make_interval(mins => ${minutesAgo})`);

  test('keep that judgement when a host puts the post off, for as long as the late limit', async () => {
    const id = await due(70);
    await resumed(15);
    expect(await ids()).toEqual([id]);
    const putOff = () =>
      db().execute(sql`update posts set status = 'PENDING', claim_at = now() where id = ${id}`);
    await putOff();
    expect(await ids()).toEqual([id]);
    await putOff();
    await resumed(61);
    expect((await claim()).posts).toMatchObject([{ id, tooLate: 'limit' }]);
  });

  test('judge what another hold releases long after a suspension by the clock', async () => {
    const id = await due(3 * 24 * 60);
    await db().execute(sql`update users set is_active = false where id = ${ada()}`);
    // Half an hour late when the service was resumed.
    await resumed(3 * 24 * 60 - 30);
    expect(await claim()).toMatchObject({ posts: [], held: 1 });
    await db().execute(sql`update users set is_active = true where id = ${ada()}`);
    expect((await claim()).posts).toMatchObject([{ id, tooLate: 'limit' }]);
  });

  test('let a backlog out one post per user and schedule interval', async () => {
    const ben = await insertUser(db());
    const posts = [await due(50), await due(40), await due(30)];
    const other = await due(45, ben);
    expect((await ids()).toSorted()).toEqual([String(posts[0]), other].toSorted());
    const rows = await db().many<{ minutes: number; hold: string }>(sql`
      select round(extract(epoch from claim_at - now()) / 60)::integer as minutes, hold
      from posts where id = any(${posts.slice(1)}) order by scheduled_at`);
    expect(rows).toEqual([
      { minutes: 1, hold: 'catch_up' },
      { minutes: 2, hold: 'catch_up' },
    ]);
    // A turn is kept, however late the post is by then.
    await db().execute(sql`
      update posts set claim_at = now(), scheduled_at = scheduled_at - interval '3 hours' where id = ${posts[1]}`);
    expect(await ids()).toEqual([posts[1]]);
  });

  test.each([
    { name: 'put off by a busy host', back: 'busy' },
    { name: 'given back by an engine that stops', back: 'stop' },
  ])('a post that is $name keeps its turn', async ({ back }) => {
    await due(50);
    const second = await due(40);
    await claim();
    await claim();
    await db().execute(sql`
      update posts set claim_at = now(), scheduled_at = scheduled_at - interval '3 hours' where id = ${second}`);
    const [found] = (await claim()).posts;
    if (found === undefined) throw new Error('Its turn did not come');
    const entry = { ...UNSENT, postId: second };
    const busy = { kind: 'wait', inMs: 0, because: 'busy' } as const;
    const settled =
      back === 'busy' ? retryByHost(found, entry, busy, SITUATION) : release(found, entry);
    expect(await settleUnpublished(db(), [settled])).toEqual([]);
    await db().execute(sql`delete from catch_up`);
    expect(await ids()).toEqual([second]);
  });

  test('a turn that passed without an engine comes before the later ones', async () => {
    const [first, second, third] = [await due(50), await due(40), await due(30)];
    expect(await ids()).toEqual([first]);
    const late = { [second]: 10, [third]: -10 };
    for (const [id, minutes] of Object.entries(late)) {
      await db().execute(
        sql`update posts set claim_at = now() - make_interval(mins => ${minutes}) where id = ${id}`,
      );
    }
    const fresh = await due(5);
    await claim();
    expect(await ids()).toEqual([second]);
    const rows = await db().many<{ id: string; minutes: number }>(sql`
      select id, round(extract(epoch from claim_at - now()) / 60)::integer as minutes
      from posts where hold = 'catch_up' order by claim_at`);
    expect(rows).toEqual([
      { id: third, minutes: 1 },
      { id: fresh, minutes: 2 },
    ]);
  });

  test('one impossible row, written by hand, keeps no other post from being claimed', async () => {
    const late = await due();
    await db().execute(sql`update posts set scheduled_at = '-infinity' where id = ${late}`);
    const endless = await due();
    await db().execute(
      sql`update posts set scheduled_at = 'infinity', status = 'PROCESSING' where id = ${endless}`,
    );
    const worn = await due();
    await db().execute(sql`update posts set attempt = 2147483647 where id = ${worn}`);
    const changed = await due();
    await db().execute(sql`update posts set version = 2147483647 where id = ${changed}`);
    const other = await due();
    expect((await ids()).toSorted()).toEqual([late, endless, changed, other].toSorted());
    expect(await post(changed)).toMatchObject({ status: 'PROCESSING', version: 1 });
    expect(await post(worn)).toMatchObject({ status: 'FAILED', cause: 'internal' });
  });

  test("'Publish now' is claimed at once, before its time", async () => {
    const id = await insertPost(db(), ada(), { status: 'PENDING', scheduled_at: inMinutes(600) });
    await db().execute(sql`update posts set status = 'PROCESSING' where id = ${id}`);
    const [found] = (await claim()).posts;
    expect(found).toMatchObject({ id, wasPending: false });
    expect(found?.dueAt).toBeLessThan((await db().one<{ now: number }>(NOW_MS)).now);
  });

  test('a post with pictures is claimed some seconds ahead', async () => {
    const id = await insertPost(db(), ada(), { status: 'PENDING', scheduled_at: inMinutes(1) });
    // In one transaction, so that both read the same time.
    const { found, now } = await db().transaction(async (tx) => {
      await tx.execute(
        sql`update posts set embed = '{}', scheduled_at = now() + interval '5.5 seconds' where id = ${id}`,
      );
      const [post] = await tx.many<{ id: string; dueAt: number }>(claimStatement(OPTIONS));
      return { found: post, ...(await tx.one<{ now: number }>(NOW_MS)) };
    });
    expect(found?.id).toBe(id);
    expect(found?.dueAt).toBeCloseTo(now + 5_500);
  });
});

const ACCEPTED = { status: 'PENDING', created_at: inMinutes(-30) } as const;

describe.each(ENGINES)('the monthly limit at a claim on %s', (engine) => {
  const { db, ada, claim, post } = setUpClaims(engine);
  /** The FREE plan, which holds for users without an assignment, allows two posts a month. */
  beforeEach(async () => {
    await db().execute(sql`
      insert into plans (id, tier, name, display_name, description, limits)
      values (gen_random_uuid(), 'FREE', 'free', '{"en": "Free"}', '{"en": "Free"}',
        '{"monthly_posts_limit": 2}')
      on conflict (name) do update set limits = excluded.limits`);
  });
  /** At one instant, so that they belong to one month whenever this runs. */
  const dueTogether = async (count: number) => {
    const scheduled_at = inMinutes(0);
    const ids: string[] = [];
    while (ids.length < count) {
      ids.push(await insertPost(db(), ada(), { ...ACCEPTED, scheduled_at }));
    }
    return ids.toSorted();
  };
  const planEnded = (minutesAgo: number) =>
    grantPlan(db(), ada(), { expires_at: inMinutes(-minutesAgo) });

  test('holds what the plan that is left has no room for, in the order of the times', async () => {
    await planEnded(1);
    const [first, second, third, fourth] = await dueTogether(4);
    const { posts, held } = await claim();
    expect([posts.map(({ id }) => id).toSorted(), held]).toEqual([[first, second], 2]);
    for (const id of [third, fourth]) {
      expect(await post(id ?? '')).toMatchObject({ status: 'PENDING', hold: 'quota', version: 1 });
    }
  });

  test('a time that no call would write keeps no post from being claimed', async () => {
    await planEnded(1);
    const first = await insertPost(db(), ada(), ACCEPTED);
    await db().execute(sql`
      update posts set scheduled_at = '4714-11-24 00:00:00+00 BC' where id = ${first}`);
    const [other] = await dueTogether(1);
    expect((await claim()).posts.toSorted((a, b) => a.dueAt - b.dueAt)).toMatchObject([
      { id: first, tooLate: 'limit' },
      { id: other, tooLate: null },
    ]);
  });

  test('counts neither what was cancelled or failed, nor another month', async () => {
    await planEnded(1);
    for (const status of ['CANCELLED', 'FAILED'] as const) {
      await insertPost(db(), ada(), { status, scheduled_at: inMinutes(0) });
    }
    for (const days of [40, 41]) {
      const scheduled_at = inMinutes(-days * 24 * 60);
      await insertPost(db(), ada(), { status: 'COMPLETED', scheduled_at });
    }
    await dueTogether(2);
    expect(await claim()).toMatchObject({ held: 0, posts: { length: 2 } });
  });

  test.each([
    ['no plan ever ended', async () => undefined],
    ['the plan had ended before they were accepted', () => planEnded(60)],
    ['a plan goes on', () => grantPlan(db(), ada())],
  ])('publishes what was accepted when %s', async (_, arrange) => {
    await arrange();
    await dueTogether(4);
    expect(await claim()).toMatchObject({ held: 0, posts: { length: 4 } });
  });

  test.each([
    ['lets them go once the plan allows more', -1, { held: 0, posts: { length: 2 } }],
    ['holds them again when it still leaves no room', 1, { held: 2, posts: [] }],
  ])('%s', async (_, monthly_posts_limit, outcome) => {
    await planEnded(1);
    await dueTogether(4);
    expect(await claim()).toMatchObject({ held: 2, posts: { length: 2 } });
    await db().execute(sql`update plans set limits = ${JSON.stringify({ monthly_posts_limit })}`);
    await releaseQuota(db());
    expect(await claim()).toMatchObject(outcome);
  });

  test('publishes what an administrator sets to PROCESSING', async () => {
    await planEnded(1);
    const [, , id = ''] = await dueTogether(3);
    await claim();
    expect(await post(id)).toMatchObject({ hold: 'quota' });
    await db().execute(sql`update posts set status = 'PROCESSING' where id = ${id}`);
    expect((await claim()).posts).toMatchObject([{ id }]);
  });
});

describe('plans', () => {
  const POSTS = 5_000;
  const api = setUpApp('embedded');

  beforeAll(async () => {
    const users = await Promise.all(Array.from({ length: 100 }, () => insertUser(api.db)));
    await insertManyPosts(api.db, users, POSTS);
    await api.db.execute(sql`
    update posts set status = 'PENDING', scheduled_at = now() where status in ('PENDING', 'PROCESSING')`);
    await api.db.execute(sql`
    update posts set claim_at = 'infinity', hold = 'user_off' where status = 'CANCELLED'`);
    await api.db.execute(sql`vacuum (analyze) posts, users, accounts, deliveries`);
  });

  type Node = {
    'Node Type': string;
    'Relation Name'?: string;
    'Index Name'?: string;
    Plans?: Node[];
  };
  const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

  /** The plan that every execution uses: the engine's pool plans each statement once, without its values. */
  async function genericPlan(statement: Sql): Promise<Node[]> {
    const client = new Client(api.context.connection);
    await client.connect();
    await client.query(settingStatements({ ...SESSION_SETTINGS, ...ENGINE_PLANS }));
    // Its placeholders stay open: with values it would be planned for them.
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
      `explain (generic_plan, format json) ${statement.text}`,
    );
    await client.end();
    return rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan));
  }

  // A table this small would be read whole by default: the plans hold at any size.
  test.each([
    ['claim', claimStatement({ lookaheadMs: 1, leaseMs: 1, lateLimitMs: 1, defaultHost: null })],
    ['journal', journalStatement([], 'skip')],
    ['publish', publishedStatement([], 'skip')],
    ['publish one that is locked', publishedStatement([], 'wait')],
    ['retry, hold, fail or give back', unpublishedStatement([], 'skip')],
    ['renew', renewStatement([], 1)],
    [
      'release',
      sql`
    update posts set claim_at = now(), hold = null
    where user_id = ${''}::uuid and claim_at = 'infinity' and hold = any(${['x']})`,
    ],
  ])('%s: reads posts and users by index', async (_, statement) => {
    const nodes = await genericPlan(statement);
    const scans = nodes.filter((node) => node['Relation Name'] !== undefined);
    const sequential = scans.filter((node) => node['Node Type'] === 'Seq Scan');
    const large = new Set(['posts', 'users', 'deliveries', 'accounts', 'delivery_attempts']);
    expect(sequential.filter((node) => large.has(node['Relation Name'] ?? ''))).toEqual([]);
    const indexes = nodes.map((node) => node['Index Name'] ?? '');
    expect(indexes.filter((name) => name.startsWith('posts_status'))).toEqual([]);
  });
});

test('a connection that is not read any more ends as soon as a lease', async () => {
  const database = await createTestDatabase('server');
  const { connectionString } = database;
  const db = openDatabase({ connectionString }, { settings: ENGINE_SETTINGS, onError: () => {} });
  expect(await db.one(sql`show tcp_user_timeout`)).toEqual({ tcp_user_timeout: '15000' });
  await db.close();
  await database.drop();
});

test('a commit is on disk, whatever the role has set', async () => {
  const database = await createTestDatabase('server');
  const { connectionString } = database;
  const db = openDatabase({ connectionString }, { settings: ENGINE_SETTINGS, onError: () => {} });
  const other = openDatabase({ connectionString }, { onError: () => {} });
  await other.execute(sql`do $$ begin
    execute format('alter database %I set synchronous_commit = off', current_database()); end $$`);
  expect(await db.one(sql`show synchronous_commit`)).toEqual({ synchronous_commit: 'on' });
  await db.close();
  await other.close();
  await database.drop();
});
