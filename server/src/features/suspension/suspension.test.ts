import { engineGet } from '@meridian/contract/engine';
import { resumePreview, serviceResume, suspensionUpdate } from '@meridian/contract/suspension';
import type { ResumeBand } from '@meridian/contract/suspension';
import { settingsUpdate } from '@meridian/contract/settings';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EITHER, setUpApp, startTestApp } from '../../../test/app.ts';
import type { SignedIn } from '../../../test/app.ts';
import { insertPost, insertUser } from '../../../test/fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { sql } from '../../db/sql.ts';
import { claimPosts } from '../../engine/claim.ts';
import type { ClaimedPost } from '../../engine/claim.ts';
import { failTooLate, release, settleUnpublished } from '../../engine/settle.ts';

const MINUTE = 60_000;
const OPTIONS = {
  lookaheadMs: 0,
  leaseMs: 15_000,
  lateLimitMs: 60 * MINUTE,
  defaultHost: 'local',
};

describe.each(EITHER)('a suspension on %s', (engine) => {
  const api = setUpApp(engine);
  let admin: SignedIn;
  beforeAll(async () => {
    admin = await api.signIn();
  });
  beforeEach(async () => {
    await api.db.execute(sql`delete from users`);
    await api.db.execute(sql`delete from catch_up`);
    await api.db.execute(sql`update service_settings set is_service_suspended = false`);
    await api.db.execute(sql`update service_settings set is_service_suspended = true`);
  });

  const switchTo = (is_service_suspended: boolean, reason?: string) =>
    api.call(settingsUpdate, {
      token: admin.token,
      body: { is_service_suspended },
      ...(reason !== undefined && { headers: { 'x-reason': encodeURIComponent(reason) } }),
    });
  const suspension = async () =>
    (await api.call(engineGet, { token: admin.token })).answer.suspension;
  const preview = async () => (await api.call(resumePreview, { token: admin.token })).answer;
  const resume = (token: string, tooLate: ResumeBand[] = [], perMinute = 60) =>
    api.call(serviceResume, { token: admin.token, body: { token, tooLate, perMinute } });
  /** As an engine does it: one claim gives turns, the next one takes them, and late posts fail. */
  async function claim(): Promise<ClaimedPost[]> {
    const claims = [await claimPosts(api.db, OPTIONS), await claimPosts(api.db, OPTIONS)];
    const posts = claims.flatMap((one) => one.posts);
    const late = posts.filter(({ tooLate }) => tooLate !== null);
    const failed = late.map((post) => failTooLate(post, OPTIONS.lateLimitMs, Date.now()));
    expect(await settleUnpublished(api.db, failed)).toEqual([]);
    return posts.filter(({ tooLate }) => tooLate === null);
  }
  const claimedIds = async () => (await claim()).map(({ id }) => id);

  /** One post of each age, all of one user. Returns the ids. */
  async function due(...minutesLate: number[]): Promise<string[]> {
    const user = await insertUser(api.db);
    return Promise.all(
      minutesLate.map((minutes) =>
        insertPost(api.db, user, {
          scheduled_at: new Date(Date.now() - minutes * MINUTE).toISOString(),
        }),
      ),
    );
  }
  const stateOf = (id: string | undefined) =>
    api.db.one(sql`select status, hold, cause from posts where id = ${id}`);
  /** As if so many seconds had passed. */
  async function pass(seconds: number) {
    const earlier = sql`make_interval(secs => ${seconds})`;
    await api.db.execute(sql`update catch_up set next_at = next_at - ${earlier}`);
    await api.db.execute(
      sql`update posts set claim_at = claim_at - ${earlier} where hold = 'catch_up'`,
    );
  }

  test('keeps who suspended, why, until when and what users are told, until it is resumed', async () => {
    await switchTo(false);
    await switchTo(true, 'The database is full');
    const plain = { expectedEndAt: null, noticeForPeople: null };
    expect(await suspension()).toEqual({
      by: admin.username,
      reason: 'The database is full',
      ...plain,
    });
    const details = { expectedEndAt: '2030-01-01T10:00:00.000Z', noticeForPeople: 'Back at ten' };
    const other = await api.signIn();
    const changed = await api.call(suspensionUpdate, { token: other.token, body: details });
    const kept = { by: admin.username, reason: 'The database is full', ...details };
    expect(changed.answer.suspension).toEqual(kept);
    expect(await suspension()).toEqual(kept);
    await switchTo(false);
    expect(await suspension()).toBeNull();
    const stored = await api.db.one(sql`select notice, expected_end_at from service_settings`);
    expect(stored).toEqual({ notice: null, expected_end_at: null });

    const headers = { 'x-reason': 'Fire' };
    const body = { ...details, expectedEndAt: null };
    await api.call(suspensionUpdate, { token: other.token, body, headers });
    expect(await suspension()).toEqual({ by: other.username, reason: 'Fire', ...body });
    const entry = await api.db.one(sql`
      select action, reason, before, after from audit_log order by id desc limit 1`);
    expect(entry).toEqual({
      action: 'suspensionUpdate',
      reason: 'Fire',
      before: { is_service_suspended: false, notice_for_people: null },
      after: { is_service_suspended: true, notice_for_people: 'Back at ten' },
    });
    const stale = { token: other.token, body, headers: { 'if-match': '"v1"' } };
    expect(refusal(await api.call(suspensionUpdate, stale))).toEqual(
      catalogued('settings_changed_elsewhere'),
    );
  });

  test('refuses an expected end that has passed, but keeps the one it has', async () => {
    const passed = '2026-01-01T10:00:00.250Z';
    const change = (noticeForPeople: string | null, expectedEndAt: string | null) =>
      api.call(suspensionUpdate, {
        token: admin.token,
        body: { expectedEndAt, noticeForPeople },
      });
    expect(refusal(await change(null, passed))).toEqual(
      catalogued('invalid_input', 'Expected end must be in the future'),
    );
    await api.db.execute(sql`update service_settings set expected_end_at = ${passed}`);
    expect((await change('It takes longer', passed)).answer.suspension).toMatchObject({
      expectedEndAt: passed,
      noticeForPeople: 'It takes longer',
    });
    expect((await change(null, '2026-01-01T11:00:00.000Z')).status).toBe(400);
    expect((await change(null, null)).status).toBe(200);
  });

  test('counts by how late the posts are; those who cannot publish are apart', async () => {
    await due(1, 14, 16, 61, 300, 400, 2_000, -10);
    const off = await insertUser(api.db, { status: 'SUSPENDED' });
    await insertPost(api.db, off, { scheduled_at: new Date(Date.now() - MINUTE).toISOString() });
    const { bands, held, lateLimitMinutes } = await preview();
    expect(bands.map(({ count }) => count)).toEqual([2, 1, 2, 1, 1]);
    expect([held, lateLimitMinutes]).toEqual([1, 60]);
  });

  test('any ages are given up, the others go out one after the other, and the log has the plan', async () => {
    const [young, middle, old, oldest] = await due(5, 30, 90, 500);
    const { token, asOf } = await preview();
    const { answer } = await resume(token, ['upTo1Hour', 'upTo24Hours'], 60);
    expect(answer.plan).toEqual({ publish: 2, tooLate: 2, perMinute: 60 });
    expect(await claimedIds()).toEqual([old]);
    for (const id of [middle, oldest]) {
      expect(await stateOf(id)).toEqual({ status: 'FAILED', hold: null, cause: 'too_late' });
    }
    expect(await stateOf(young)).toMatchObject({ status: 'PENDING', hold: 'catch_up' });
    await pass(1);
    expect(await claimedIds()).toEqual([young]);
    const entry = await api.db.one(sql`
      select action, before, after from audit_log order by id desc limit 1`);
    expect(entry).toEqual({
      action: 'serviceResume',
      before: { is_service_suspended: true },
      after: {
        is_service_suspended: false,
        waiting_as_of: asOf,
        published_late: 2,
        posts_per_minute: 60,
        marked_too_late: 2,
        too_late_bands: ['upTo1Hour', 'upTo24Hours'],
      },
    });
    expect(refusal(await resume(token))).toEqual(catalogued('service_not_suspended'));
  });

  test('asks again when other posts wait, not for those that become due meanwhile', async () => {
    const [first] = await due(10, 20, 30);
    const { token } = await preview();
    await api.db.execute(sql`update posts set status = 'CANCELLED' where id = ${first}`);
    const changed = await resume(token);
    expect([changed.status, changed.error?.code]).toEqual([409, 'waiting_posts_changed']);
    expect(changed.error?.message).toBe(
      'The posts that wait have changed: 3 in the preview, 2 now. Look again.',
    );
    expect(await suspension()).not.toBeNull();
    const again = await preview();
    const [since] = await due(-1 / 600);
    await api.db.execute(sql`update posts set scheduled_at = now() where id = ${since}`);
    expect((await resume(again.token)).answer.plan.publish).toBe(2);
  });

  test('a post that is released or tried again stays in the plan', async () => {
    const [post] = await due(300);
    await resume((await preview()).token, [], 1);
    const posts = await claim();
    const journalled = { maybeSent: false } as Parameters<typeof release>[1]; // all it reads
    await settleUnpublished(
      api.db,
      posts.map((one) => release(one, journalled)),
    );
    expect(await stateOf(post)).toMatchObject({ status: 'PENDING', hold: null });
    expect(await claimedIds()).toEqual([]);
    await pass(60);
    expect(await claimedIds()).toEqual([post]);
    // Put off by its host, to a time after the plan was made.
    await api.db.execute(sql`
      update posts set status = 'PENDING', hold = 'host_down', claim_at = now(), attempt = attempt + 1`);
    expect(await claimedIds()).toEqual([post]);
  });

  test('cancelled and rescheduled posts leave the plan, and the next suspension ends it', async () => {
    const [first, second, third, fourth] = await due(300, 200, 100, 80);
    await resume((await preview()).token);
    expect(await claimedIds()).toEqual([first]);
    await api.db.execute(sql`update posts set status = 'CANCELLED' where id = ${second}`);
    await api.db.execute(sql`
      update posts set scheduled_at = now() + interval '1 day' where id = ${third}`);
    await switchTo(true);
    await pass(10);
    expect(await claimedIds()).toEqual([]);
    await switchTo(false);
    expect(await claimedIds()).toEqual([fourth]);
    expect(await stateOf(second)).toMatchObject({ status: 'CANCELLED', hold: null });
    expect(await stateOf(third)).toMatchObject({ status: 'PENDING', hold: null });
  });

  test('the plain switch keeps the usual rule', async () => {
    const [old, young] = await due(90, 30);
    await switchTo(false);
    expect(await claimedIds()).toEqual([young]);
    expect(await stateOf(old)).toMatchObject({ status: 'FAILED', cause: 'too_late' });
  });

  test.each([
    [{ token: 'x', tooLate: [], perMinute: 20 }, 'token'],
    [{ token: '2000-01-01T00:00:00Z/0/0', tooLate: [], perMinute: 20 }, 'token'],
    [{ token: '', tooLate: [], perMinute: 0 }, 'perMinute'],
    [{ token: '', tooLate: ['never'], perMinute: 1 }, 'tooLate.0'],
  ])('refuses %j', async (body, path) => {
    const { status, error } = await api.call(serviceResume, { token: admin.token, body });
    expect([status, error?.issues?.[0]?.path]).toEqual([400, path]);
  });
});

describe.each(EITHER)('on the live network on %s', (engine) => {
  const PUBLIC = { NETWORK: 'live', PUBLIC_URL: 'https://posts.example.com' };

  test('posts of users who never connected an account are counted as held', async () => {
    const api = await startTestApp(engine, { env: PUBLIC });
    const { token } = await api.signIn();
    const scheduled_at = new Date(Date.now() - 120 * MINUTE).toISOString();
    const [connected, unconnected] = [await insertUser(api.db), await insertUser(api.db)];
    await api.db.execute(sql`
      insert into accounts (user_id, host) values (${connected}, 'https://pds.example.com')`);
    await api.db.execute(sql`update service_settings set is_service_suspended = true`);
    for (const user of [connected, unconnected]) await insertPost(api.db, user, { scheduled_at });

    const { bands, held } = (await api.call(resumePreview, { token })).answer;
    const { waiting } = (await api.call(engineGet, { token })).answer;
    await api.db.execute(sql`update service_settings set is_service_suspended = false`);
    const claimed = await claimPosts(api.db, { ...OPTIONS, defaultHost: null });
    await api.close();

    expect(claimed).toMatchObject({ held: 1, posts: [{ tooLate: 'limit' }] });
    expect(bands.filter(({ count }) => count > 0)).toEqual([{ band: 'upTo6Hours', count: 1 }]);
    expect({ held, tooLate: waiting.tooLate }).toEqual({ held: 1, tooLate: 1 });
  });
});
