import { createLocalNetwork } from '../../src/network/local/local-network.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { grantPlan } from '../fixtures.ts';
import { openStage, OPTIONS } from './stage.ts';
import type { Stage, StagedUser } from './stage.ts';

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
