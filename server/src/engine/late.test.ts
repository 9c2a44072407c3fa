import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantPlan } from '../../test/fixtures.ts';
import { HOST } from '../audit/audit.store.ts';
import { sql } from '../db/sql.ts';
import { createSuspensionService } from '../features/suspension/suspension.ts';
import { createLocalNetwork } from '../network/local/local-network.ts';
import { CLAIM_BATCH } from './claim.ts';
import { setUpClaims } from './testing/claims.ts';
import { OPTIONS, given, httpNetwork, openStage } from './testing/stage.ts';
import type { Stage, StagedUser } from './testing/stage.ts';

const MINUTE = 60_000;
const LATE_LIMIT_MINUTES = OPTIONS.lateLimitMs / MINUTE;
/** How many minutes before the end of the suspension the posts of each user were due. */
const MINUTES_LATE = [175, 130, 61.5, 58, 40, 40, 25, 3];
const IN_TIME = MINUTES_LATE.filter((minutes) => minutes < LATE_LIMIT_MINUTES).length;
/** More posts than one claim takes. */
const USERS = 30;
/** Of all users, and of one: longer than the test takes, so that each turn comes by `pass` alone. */
const INTERVAL = 5;
const TIMES_LONGER = 3;

describe('suspended for three hours, then resumed', () => {
  let stage: Stage;
  let users: StagedUser[];
  beforeAll(async () => {
    stage = await openStage('embedded');
    users = await Promise.all(Array.from({ length: USERS }, () => stage.addUser(null)));
  });
  afterAll(() => stage.close());

  const count = (condition: ReturnType<typeof sql>) =>
    stage.db
      .one<{ count: number }>(sql`select count(*)::integer as count from posts where ${condition}`)
      .then((row) => row.count);

  /** The texts that each user has published, in the order of their arrival. */
  async function timelines(): Promise<Map<string, string[]>> {
    const rows = await stage.db.many<{ did: string; texts: string[] }>(sql`
      select did, array_agg(record ->> 'text' order by indexed_at) as texts
      from local_records group by did`);
    return new Map(rows.map(({ did, texts }) => [did, texts]));
  }

  /** As if the next so many minutes had passed. */
  const pass = (minutes: number) =>
    stage.db.transaction(async (tx) => {
      const earlier = sql`make_interval(mins => ${minutes})`;
      await tx.execute(sql`update catch_up set next_at = next_at - ${earlier}`);
      await tx.execute(
        sql`update posts set claim_at = claim_at - ${earlier} where hold = 'catch_up'`,
      );
    });

  test('the oldest go first, one per user and interval; what is too late fails, as announced', async () => {
    for (const [index, user] of users.entries()) {
      const { planId } = await grantPlan(stage.db, user.id);
      const minutes = index === 0 ? INTERVAL * TIMES_LONGER : INTERVAL;
      await stage.db.execute(sql`
        update plans set limits = limits || ${sql.json({ schedule_interval_minutes: minutes })}
        where id = ${planId}`);
    }
    await stage.db.execute(sql`update service_settings set is_service_suspended = true`);
    await stage.startEngine(createLocalNetwork(stage.db));
    const due = new Map<string, string[]>();
    for (const user of users) {
      const posts = await Promise.all(
        MINUTES_LATE.map((minutes) => stage.addPost(user, -minutes * MINUTE)),
      );
      due.set(user.did, posts.slice(-IN_TIME));
    }

    // The number that the console shows before an administrator resumes the service.
    const announced = await count(sql`
      status = 'PENDING' and claim_at <= now()
      and scheduled_at < now() - make_interval(mins => ${LATE_LIMIT_MINUTES})`);
    expect(announced).toBe(USERS * (MINUTES_LATE.length - IN_TIME));
    await stage.db.execute(sql`update service_settings set is_service_suspended = false`);

    const failed = () => count(sql`status = 'FAILED'`);
    const waiting = () => count(sql`status = 'PENDING' and hold = 'catch_up'`);
    const published = () => count(sql`status = 'COMPLETED'`);
    await expect.poll(failed).toBe(announced);
    await expect.poll(published).toBe(USERS);
    await expect.poll(waiting).toBe(USERS * (IN_TIME - 1));
    expect(await published()).toBe(USERS);
    const sentences = await stage.db.many<{ cause: string; error_msg: string }>(
      sql`select distinct cause, left(error_msg, 21) as error_msg from posts where status = 'FAILED'`,
    );
    expect(sentences).toEqual([{ cause: 'too_late', error_msg: 'Not published in time' }]);

    // Each interval one more of every user, and every three of the one with the longer interval.
    for (let turn = 1; turn <= TIMES_LONGER * (IN_TIME - 1); turn += 1) {
      await pass(INTERVAL);
      const ofSlow = 1 + Math.floor(turn / TIMES_LONGER);
      const ofOthers = Math.min(turn + 1, IN_TIME);
      await expect.poll(published).toBe((USERS - 1) * ofOthers + ofSlow);
    }
    // Two posts of the same minute may go in either order.
    const order = await timelines();
    const minutesLate = MINUTES_LATE.slice(-IN_TIME);
    const orders = [...due].map(([did, posts]) =>
      (order.get(did) ?? []).map((text) => minutesLate[posts.indexOf(text)]),
    );
    expect(orders).toEqual(users.map(() => minutesLate));
    expect(await failed()).toBe(announced);
  });
});

describe('late retries', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage('server');
  });
  afterAll(() => stage.close());

  const UNREACHABLE = 'http://127.0.0.1:9';

  test.each([
    { hours: 3, next: 'resumed', status: 'FAILED', cause: 'too_late' },
    { hours: 0, next: 'resumed', status: 'COMPLETED', cause: null },
    { hours: 3, next: 'published by hand', status: 'COMPLETED', cause: null },
  ])(
    'never sent, $hours hours without an attempt, then $next: $status',
    async ({ hours, next, status, cause }) => {
      const host = await stage.startHost();
      const user = await stage.addUser(UNREACHABLE);
      const id = await stage.addPost(user, 0);
      const engine = await stage.startEngine(httpNetwork([host]));
      const read = async () => given((await stage.readPosts()).find((post) => post.id === id));
      await expect.poll(read).toMatchObject({ status: 'PROCESSING', cause: 'network_unreachable' });

      await stage.db.execute(sql`update service_settings set is_service_suspended = true`);
      await engine.stop();
      const earlier = sql`make_interval(hours => ${hours})`;
      await stage.db.execute(sql`
      update posts set scheduled_at = scheduled_at - ${earlier}, claim_at = now() - ${earlier}
      where id = ${id}`);
      await stage.db.execute(sql`
      update deliveries set journalled_at = journalled_at - ${earlier} where post_id = ${id}`);
      await stage.db.execute(
        sql`update accounts set host = ${host.url} where user_id = ${user.id}`,
      );
      await stage.db.execute(sql`update service_settings set is_service_suspended = false`);
      if (next === 'published by hand') {
        for (const changed of ['CANCELLED', 'PROCESSING']) {
          await stage.db.execute(sql`update posts set status = ${changed} where id = ${id}`);
        }
      }
      const second = await stage.startEngine(httpNetwork([host]));
      await expect.poll(read).toMatchObject({ status, cause });
      await second.stop();
    },
  );

  test.each([
    { hours: 3, next: 'started again', status: 'FAILED', cause: 'too_late' },
    { hours: 0, next: 'started again', status: 'COMPLETED', cause: null },
    { hours: 3, next: 'published by hand', status: 'COMPLETED', cause: null },
  ])(
    'claimed by an engine that died before it wrote its journal, $hours hours ago, then $next: $status',
    async ({ hours, next, status, cause }) => {
      const host = await stage.startHost();
      const user = await stage.addUser(host.url);
      const id = await stage.addPost(user, 60_000);
      const earlier = sql`make_interval(hours => ${hours})`;
      await stage.db.execute(sql`
      update posts set status = 'PROCESSING', attempt = 1, scheduled_at = now() - ${earlier}, claim_at = now() - ${earlier}
      where id = ${id}`);
      if (next === 'published by hand') {
        for (const changed of ['CANCELLED', 'PROCESSING']) {
          await stage.db.execute(sql`update posts set status = ${changed} where id = ${id}`);
        }
      }
      const engine = await stage.startEngine(httpNetwork([host]));
      const read = async () => given((await stage.readPosts()).find((post) => post.id === id));
      await expect.poll(read).toMatchObject({ status, cause });
      await engine.stop();
    },
  );
});

describe('resume plan', () => {
  const MINUTE = 60_000;
  const POSTS = 240;
  /** Evenly over the 90 minutes of the suspension, none on the edge of a band. */
  const MINUTES_LATE = Array.from({ length: POSTS }, (_, index) => ((index + 0.5) * 90) / POSTS);
  const PER_MINUTE = 20;
  const USERS = 12;

  describe('suspended for 90 minutes with 240 posts, then resumed by a plan', () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await openStage('embedded');
    });
    afterAll(() => stage.close());

    const count = (condition: ReturnType<typeof sql>) =>
      stage.db
        .one<{ count: number }>(
          sql`select count(*)::integer as count from posts where ${condition}`,
        )
        .then((row) => row.count);

    /** As if the next minute had passed. No turn is before the resume: the plan would give it again. */
    const passMinute = () =>
      stage.db.transaction(async (tx) => {
        await tx.execute(sql`update catch_up set next_at = next_at - interval '1 minute'`);
        await tx.execute(sql`
        update posts set claim_at = greatest(claim_at - interval '1 minute',
          (select resume_as_of from service_settings) + interval '1 millisecond')
        where hold = 'catch_up'`);
        await tx.execute(sql`select pg_notify('engine', 'wake')`);
      });

    test('what is older than 60 is too late, the rest goes out at 20 a minute, as the preview said', async () => {
      await stage.db.execute(sql`update service_settings set is_service_suspended = true`);
      const users = await Promise.all(Array.from({ length: USERS }, () => stage.addUser(null)));
      const due = await Promise.all(
        MINUTES_LATE.map((minutes, index) => {
          const user = users[index % USERS] ?? { id: '', did: '' };
          return stage.addPost(user, -minutes * MINUTE);
        }),
      );
      await stage.startEngine(createLocalNetwork(stage.db));
      const suspension = createSuspensionService(stage.db, {
        lateLimitMinutes: OPTIONS.lateLimitMs / MINUTE,
        needsAccount: false,
      });
      const { token, bands } = await suspension.preview();
      expect(bands).toMatchObject([
        { band: 'upTo15Minutes', count: 40 },
        { band: 'upTo1Hour', count: 120 },
        { band: 'upTo6Hours', count: 80 },
        { band: 'upTo24Hours', count: 0 },
        { band: 'older', count: 0 },
      ]);
      const body = { token, tooLate: ['upTo6Hours' as const], perMinute: PER_MINUTE };
      const plan = await suspension.resume(HOST, body);
      expect(plan).toEqual({ publish: 160, tooLate: 80, perMinute: PER_MINUTE });

      await expect.poll(() => count(sql`cause = 'too_late'`)).toBe(80);
      await expect.poll(() => count(sql`status = 'PENDING' and hold is null`)).toBe(0);
      const turns = await stage.db.many<{ gap: number | null }>(sql`
      select (extract(epoch from claim_at - lag(claim_at) over (order by claim_at)))::float8 as gap
      from posts where hold = 'catch_up'`);
      const gaps = turns.map(({ gap }) => gap).filter((gap) => gap !== null);
      expect(gaps.length).toBeGreaterThan(140);
      expect(new Set(gaps.map((gap) => Math.round(gap * 1000)))).toEqual(new Set([3_000]));

      for (let minute = 1; minute <= 160 / PER_MINUTE; minute += 1) {
        await passMinute();
        const least = Math.min(160, minute * PER_MINUTE);
        await expect.poll(() => count(sql`status = 'COMPLETED'`)).toBeGreaterThanOrEqual(least);
      }
      await expect.poll(() => count(sql`status = 'COMPLETED'`)).toBe(160);
      expect(await count(sql`status = 'FAILED'`)).toBe(80);
      const late = await stage.db.many<{ id: string }>(sql`
      select id from posts where status = 'FAILED' order by scheduled_at desc`);
      expect(late.map(({ id }) => id)).toEqual(due.slice(160));
      const sentences = await stage.db.many(
        sql`select distinct error_msg from posts where cause = 'too_late'`,
      );
      expect(sentences).toEqual([
        { error_msg: 'Not published in time: marked as too late when the service was resumed' },
      ]);
    });
  });
});

const WORKERS = 8;
const ROUNDS = 5;

describe('turns after a suspension', () => {
  const { db, ada, claim } = setUpClaims('server');

  test('are in the order of the times, however many workers claim at once', async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      await db().execute(sql`delete from posts`);
      await db().execute(sql`delete from catch_up`);
      await db().execute(sql`
        insert into posts (id, user_id, content, scheduled_at)
        select gen_random_uuid(), ${ada()}, 'Waits', now() - interval '10 minutes' + n * interval '100 ms'
        from generate_series(1, ${WORKERS * CLAIM_BATCH}::integer) as n`);
      const claims = await Promise.all(Array.from({ length: WORKERS }, () => claim()));
      expect(Math.min(...claims.map(({ examined }) => examined))).toBe(CLAIM_BATCH);
      await claim();
      const order = await db().one<{ sooner: number; claimed: number }>(sql`
        select count(*) filter (where turn < before)::integer as sooner, sum(is_claimed::integer)::integer as claimed
        from (select turn, lag(turn) over (order by scheduled_at) as before, is_claimed from (
          select scheduled_at, status = 'PROCESSING' as is_claimed,
            case status when 'PENDING' then claim_at else now() - interval '1 minute' end as turn
          from posts) as turns) as ordered`);
      expect(order).toEqual({ sooner: 0, claimed: 1 });
    }
  });
});
