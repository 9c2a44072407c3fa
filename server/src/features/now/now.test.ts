import { handoverUpdate, nowGet } from '@meridian/contract/now';
import { postList } from '@meridian/contract/posts';
import { settingsUpdate } from '@meridian/contract/settings';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import type { SignedIn } from '../../../test/app.ts';
import { insertWorker, schedulePost } from '../../../test/engine-fixtures.ts';
import { grantPlan, insertUser } from '../../../test/fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { sql } from '../../db/sql.ts';
import { readBacklog } from '../../metrics/metrics.ts';

const DAY = 86_400;

describe.each(EITHER)('what needs attention now on %s', (engine) => {
  const api = setUpApp(engine);
  let admin: SignedIn;
  let user: string;

  beforeAll(async () => {
    admin = await api.signIn();
    user = await insertUser(api.db);
  });

  const get = async () => (await api.call(nowGet, { token: admin.token })).answer;
  const totalOf = async (query: Record<string, string>) =>
    (await api.call(postList, { token: admin.token, query })).answer.total;

  test('is nothing at first', async () => {
    expect(await get()).toMatchObject({
      overdue: { count: 0, oldestAt: null },
      stuck: { count: 0, oldestAt: null },
      held: [],
      failed: { byOwner: [{ count: 0 }, { count: 0 }, { count: 0 }] },
      engine: { isAlive: false, lastMinute: { lateness: null } },
      nextHour: { stepMinutes: 1, slots: [], countedTo: null },
      nextDay: { stepMinutes: 15, slots: [] },
      visit: null,
      handover: { text: '', author: null, version: 1 },
    });
  });

  test('every number equals its list', async () => {
    for (const inSeconds of [-600, -60]) await schedulePost(api.db, user, { inSeconds });
    const putOff = await schedulePost(api.db, user, { inSeconds: -900 });
    await api.db.execute(sql`
      update posts set claim_at = now() + interval '20 seconds' where id = ${putOff}`);
    const stuck = await schedulePost(api.db, user, { inSeconds: -900, status: 'PROCESSING' });
    const leased = await schedulePost(api.db, user, { inSeconds: -5, status: 'PROCESSING' });
    await api.db.execute(sql`
      update posts set claim_at = now() - interval '2 minutes' where id = ${stuck}`);
    await api.db.execute(sql`
      update posts set claim_at = now() + interval '10 minutes' where id = ${leased}`);
    for (const hold of ['user_off', 'user_off', 'quota']) {
      await schedulePost(api.db, user, { inSeconds: 30 * DAY, hold });
    }
    for (const inSeconds of [600, 600, 1_500, 5 * 3600, 23 * 3600, 2 * DAY]) {
      await schedulePost(api.db, user, { inSeconds });
    }
    await api.db.execute(sql`
      insert into posts (id, user_id, content, status, scheduled_at, cause, updated_at)
      select gen_random_uuid(), ${user}, 'Words', 'FAILED', now(), cause, now() - age
      from (values ('too_long', interval '1 hour'), ('host_down', '2 hours'), ('host_down', '3 hours'),
                   (null, '4 hours'), ('of_tomorrow', '5 hours'), ('internal', '25 hours')) as f (cause, age)`);
    const lastMinute = { published: 60, latenessMs: { p50: 4, p95: 20, p99: 38, max: 120 } };
    await insertWorker(api.db, { lastMinute });
    await insertWorker(api.db, {
      id: 'of an earlier version',
      lastMinute: { published: 60, latenessMs: { p50: 8, p99: 90, max: 99 } },
    });

    const now = await get();
    expect([now.overdue.count, await totalOf({ overdue: 'true' })]).toEqual([3, 3]);
    const backlog = await readBacklog(api.db);
    expect(backlog.due).toBe(3);
    expect(backlog.oldestDueSeconds).toBeGreaterThanOrEqual(900);
    expect([now.stuck.count, await totalOf({ stuck: 'true' })]).toEqual([1, 1]);
    expect(now.held.map(({ hold, count }) => [hold, count])).toEqual([
      ['user_off', 2],
      ['quota', 1],
    ]);
    expect(await totalOf({ hold: 'user_off' })).toBe(2);
    const { from, to, byOwner } = now.failed;
    expect(byOwner).toEqual([
      { owner: 'person', count: 1 },
      { owner: 'network', count: 2 },
      { owner: 'us', count: 2 },
    ]);
    for (const { owner, count } of byOwner) {
      expect(await totalOf({ owner, failedFrom: from, failedTo: to })).toBe(count);
    }
    expect(now.engine).toMatchObject({
      isAlive: true,
      lastMinute: { published: 120, lateness: { p50Ms: 6, p95Ms: 20, p99Ms: 90 } },
    });
    const sums = [now.nextHour, now.nextDay].map(({ slots }) =>
      slots.reduce((sum, { count }) => sum + count, 0),
    );
    expect(sums).toEqual([3, 5]);
    for (const { from: first, slots, stepMinutes } of [now.nextHour, now.nextDay]) {
      for (const { at, count } of slots) {
        const end = new Date(Date.parse(at) + stepMinutes * 60_000).toISOString();
        const start = at < first ? first : at;
        expect(await totalOf({ status: 'PENDING', from: start, to: end })).toBe(count);
      }
    }
  });

  test('a visit is about what happened since the one before', async () => {
    const seen = (minutes: number) =>
      api.db.execute(sql`
        update admin_visits set seen_at = now() - make_interval(mins => ${minutes})
        where admin_id = ${admin.adminId}`);
    const request = async () => {
      await api.db.execute(sql`
        update admin_sessions set last_seen_at = now() - interval '2 minutes'`);
      await api.call(postList, { token: admin.token });
    };
    await seen(29);
    await request();
    expect((await get()).visit).toBeNull();

    await seen(120);
    // The dashboard polls: that is no visit.
    expect((await get()).visit).toBeNull();
    await insertUser(api.db, { created_at: new Date().toISOString() });
    await grantPlan(api.db, user, {
      code: 'ABCD-EFGH-JKLM-NPQR',
      created_at: new Date().toISOString(),
    });
    await schedulePost(api.db, user, { inSeconds: -60, status: 'COMPLETED' });
    await schedulePost(api.db, user, { inSeconds: -2 * DAY, status: 'COMPLETED' });
    const other = await api.signIn('colleague');
    const body = { is_closed_beta: true };
    await api.call(settingsUpdate, { token: other.token, body });
    await request();
    const { visit } = await get();
    expect(visit).toMatchObject({
      people: 1,
      published: 1,
      failed: 1,
      redeemed: 1,
      settings: [{ by: 'colleague', changes: body }],
    });
    const { since = '', to = '' } = visit ?? {};
    expect(Math.round((Date.parse(to) - Date.parse(since)) / 60_000)).toBe(120);
    expect(await totalOf({ status: 'COMPLETED', from: since, to })).toBe(1);
    expect(await totalOf({ failedFrom: since, failedTo: to })).toBe(1);
  });

  test('the hand-over note is replaced by the next administrator who has read it', async () => {
    const save = (text: string, version: number) =>
      api.call(handoverUpdate, {
        token: admin.token,
        body: { text },
        headers: { 'if-match': `"v${version}"` },
      });
    const { handover } = (await save(' Watch pds.example ', 1)).answer;
    expect(handover).toMatchObject({
      text: 'Watch pds.example',
      author: admin.username,
      version: 2,
    });
    expect((await get()).handover).toEqual(handover);
    expect(refusal(await save('Mine', 1))).toEqual(catalogued('handover_changed_elsewhere'));
    expect(refusal(await save('x'.repeat(1_001), 2))).toEqual(
      catalogued('invalid_input', 'The note must be at most 1000 characters'),
    );
    expect((await save('', 2)).answer.handover.text).toBe('');
  });
});
