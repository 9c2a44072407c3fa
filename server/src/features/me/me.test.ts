import { meDelete, meDisconnect, meExport, meGet, meSignIn } from '@meridian/contract/me/account';
import { SIGN_IN_ERRORS } from '@meridian/contract/me/sign-in-errors';
import { mePostCreate, mePostGet } from '@meridian/contract/me/posts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { insertDelivery } from '../../../test/engine-fixtures.ts';
import { grantPlan, insertPost, insertUser } from '../../../test/fixtures.ts';
import type { UserFixture } from '../../../test/fixtures.ts';
import { createBrowser, insertKeyword, signInMember } from '../../../test/members.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { createClosers } from '../../background-task.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { startEngineOf } from '../../start.ts';
import { inMinutes, startMember } from './testing/member-calls.ts';
import { JPEG, png } from './testing/picture-files.ts';

describe.each(EITHER)('what a member has here, on the %s database', (engine) => {
  const api = setUpApp(engine, { env: { NETWORK: 'local' } });
  beforeAll(async () => {
    await api.signIn();
  });

  async function person(fields: UserFixture = {}, limits: object = {}) {
    const id = await insertUser(api.db, fields);
    const { planId } = await grantPlan(api.db, id);
    await api.db.execute(
      sql`update plans set limits = limits || ${sql.json(limits)}::jsonb where id = ${planId}`,
    );
    return { id, headers: await signInMember(api, id) };
  }
  const me = async (headers: Record<string, string>) => (await api.call(meGet, { headers })).answer;
  const inSettings = async (change: Sql, work: () => Promise<void>) => {
    await api.db.execute(sql`update service_settings set ${change}`);
    await work();
    await api.db.execute(
      sql`update service_settings set is_closed_beta = false, is_service_suspended = false`,
    );
  };
  const schedule = async (headers: Record<string, string>) => {
    const body = { content: 'Hello', scheduledAt: inMinutes(60) };
    return api.call(mePostCreate, { headers, body });
  };
  const countOf = async (table: Sql, column: Sql, id: string) =>
    (
      await api.db.one<{ n: number }>(
        sql`select count(*)::int as n from ${table} where ${column} = ${id}`,
      )
    ).n;

  test('is the plan with its limits, and what is used of them', async () => {
    const { id, headers } = await person({}, { monthly_posts_limit: 3, pending_posts_limit: 9 });
    const { schedule, ...before } = await me(headers);
    expect(schedule).toEqual({ isAllowed: true, sentence: null });
    expect(before).toMatchObject({
      plan: { tier: 'BASIC' },
      limits: { monthly_posts_limit: 3, pending_posts_limit: 9 },
      usage: { postsThisMonth: 0, pendingPosts: 0, storageBytes: 0 },
      service: { isSuspended: false, isClosedBeta: false, notice: null },
    });
    const scheduled_at = new Date().toISOString();
    for (let n = 0; n < 3; n += 1) await insertPost(api.db, id, { scheduled_at });
    const { schedule: used, usage } = await me(headers);
    expect(usage).toMatchObject({ postsThisMonth: 3, pendingPosts: 3 });
    expect(used.sentence).toMatch(
      /^Your plan allows 3 posts a month, and all are used\. You can schedule posts for the next month, which begins on \w+ 1, 20\d\d \(UTC\)\.$/,
    );
  });

  test('may schedule without a plan', async () => {
    const headers = await signInMember(api, await insertUser(api.db));
    const answer = await me(headers);
    expect(answer.plan).toEqual({ name: null, tier: null, expiresAt: null });
    expect(answer.schedule).toEqual({ isAllowed: true, sentence: null });
    expect((await schedule(headers)).status).toBe(201);
  });

  test('says how many posts may be pending', async () => {
    const { id, headers } = await person({}, { pending_posts_limit: 1 });
    await insertPost(api.db, id, { scheduled_at: '2027-01-01T00:00:00Z' });
    expect((await me(headers)).schedule.sentence).toBe(
      'Your plan allows 1 waiting post, and you have that many. Wait until one is published, or cancel one.',
    );
  });

  test.each([
    [
      { status: 'RESTRICTED' },
      'may_not_schedule',
      'You cannot schedule new posts. What is scheduled already goes out. Ask the operator of this service.',
    ],
    [
      { status: 'SUSPENDED' },
      'member_suspended',
      'Your account is suspended here. You can look, but change nothing. Ask the operator of this service.',
    ],
  ] as const)('says of %j what scheduling says: %s', async (fields, code, sentence) => {
    const { headers } = await person(fields);
    const call = await schedule(headers);
    expect(refusal(call)).toMatchObject({ code });
    expect((await me(headers)).schedule).toEqual({ isAllowed: false, sentence });
  });

  test('says the same as scheduling in closed beta and while suspended', async () => {
    await inSettings(sql`is_closed_beta = true`, async () => {
      const created_at = new Date(Date.now() + 60_000).toISOString();
      const newcomer = await person({ created_at });
      expect(refusal(await schedule(newcomer.headers))).toMatchObject({ code: 'may_not_schedule' });
      expect((await me(newcomer.headers)).schedule.sentence).toBe(
        'This service is in closed beta. You need an access keyword to schedule.',
      );
      for (const fields of [{}, { created_at, has_access_keyword_access: true }]) {
        const { headers } = await person(fields);
        expect((await me(headers)).schedule.isAllowed).toBe(true);
        expect((await schedule(headers)).status).toBe(201);
      }
    });
    await inSettings(sql`is_service_suspended = true`, async () => {
      const { headers } = await person();
      expect(refusal(await schedule(headers))).toMatchObject({ code: 'service_suspended' });
      expect((await me(headers)).schedule.sentence).toBe(
        'The service is paused. You can schedule again when it goes on.',
      );
    });
  });

  test('is connected until the member takes the access back', async () => {
    const browser = createBrowser(api);
    await browser.signIn('connected.test');
    const disconnect = () => browser.send({ method: 'POST', url: meDisconnect.path });
    const { account } = meDisconnect.answer.parse((await disconnect()).json());
    expect(account).toMatchObject({ state: 'RECONNECT', host: 'local' });
    expect((await disconnect()).statusCode).toBe(200);
    await browser.signIn('connected.test');
    const { account: again } = meGet.answer.parse((await browser.send({ url: meGet.path })).json());
    expect(again.state).toBe('CONNECTED');
  });

  test('changes nothing while the member is suspended', async () => {
    const { headers } = await person({ status: 'SUSPENDED' });
    const refused = await api.call(meDisconnect, { headers });
    expect(refusal(refused)).toEqual(catalogued('member_suspended'));
  });

  test.each([
    [-1, 40],
    [3, 3],
    [0, 0],
  ])('with %i changes an hour, %i of 40 at once pass', async (most, passed) => {
    const { id, headers } = await person({}, { api_rate_limit_per_hour: most });
    const change = () => api.call(meDisconnect, { headers });
    const responses = await Promise.all(Array.from({ length: 40 }, change));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(passed);
    expect((await api.call(meGet, { headers })).status).toBe(200);
    if (most < 0) return;
    const refused = await change();
    expect(refusal(refused)).toEqual(
      catalogued(
        'too_many_requests',
        `Your plan allows ${most} changes an hour. Try again in 60 minutes`,
      ),
    );
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500);
    await api.db.execute(sql`
      update member_rates set started_at = started_at - interval '1 hour' where user_id = ${id}`);
    expect((await change()).status).toBe(most === 0 ? 429 : 200);
  });

  test('is exported as one file, and nothing of others is in it', async () => {
    const { id, headers } = await person({ handle: 'export.test' });
    const other = await person({ handle: 'not-exported.test' });
    await insertPost(api.db, other.id, { content: 'Of another person' });
    await api.db.execute(sql`
      insert into posts (id, user_id, content, scheduled_at)
      select gen_random_uuid(), ${id}, 'Post ' || n, now() from generate_series(1, 1201) n`);
    const response = await api.app.inject({ url: meExport.path, headers });
    expect(response.headers['content-disposition']).toMatch(
      /^attachment; filename="my-data-20\d\d-\d\d-\d\d\.json"$/,
    );
    const data = response.json<Record<string, Record<string, unknown>[]>>();
    expect(Object.keys(data)).toEqual([
      'exportedAt',
      'users',
      'accounts',
      'sessions',
      'tokens',
      'plans',
      'posts',
      'pictures',
    ]);
    expect(data['users']).toMatchObject([{ id, handle: 'export.test' }]);
    expect(data['posts']).toHaveLength(1201);
    expect(data['sessions']).toMatchObject([
      { createdAt: expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]{12}Z$/) },
    ]);
    expect(response.body).not.toContain('Of another person');
    expect(response.body).not.toContain(headers.cookie.split('=')[1]);
  });

  test('is exported in pieces of a bounded size', async () => {
    const { id } = await person();
    await api.db.execute(sql`
      insert into posts (id, user_id, content, scheduled_at, thread)
      select gen_random_uuid(), ${id}, n::text, now(),
        jsonb_build_array(jsonb_build_object('content', '', 'alt', repeat('x', 1000000)))
      from generate_series(1, 45) n`);
    const lengths: number[] = [];
    const push = async (text: string) => void lengths.push(text.length);
    await api.context.memberExport.write(id, { push, signal: new AbortController().signal });
    expect(lengths.reduce((sum, length) => sum + length)).toBeGreaterThan(45_000_000);
    expect(Math.max(...lengths)).toBeLessThan(11_000_000);
  });

  test('is exported for others while one member reads slowly', async () => {
    const [slow, other] = [await person(), await person()];
    const { memberExport } = api.context;
    const reading = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const { signal } = new AbortController();
    const push = () => {
      begun.resolve();
      return reading.promise;
    };
    const twice = [1, 2].map(() => memberExport.write(slow.id, { push, signal }));
    await begun.promise;
    const response = await api.app.inject({ url: meExport.path, headers: other.headers });
    reading.resolve();
    await Promise.all(twice);
    expect(response.json()).toMatchObject({ users: [{ id: other.id }] });
  });

  test('is deleted when the member says so twice', async () => {
    const { id, headers } = await person({ handle: 'gone.test' });
    const neighbour = await person();
    await insertPost(api.db, id);
    await insertPost(api.db, id, { status: 'COMPLETED', executed_at: '2026-03-01T09:00:00Z' });
    await insertPost(api.db, neighbour.id);
    const earlier = await insertPost(api.db, id);
    const claimedAt = '2026-03-01T09:00:00Z';
    await insertDelivery(api.db, { id: earlier, userId: id, did: 'did:plc:gone' }, { claimedAt });
    await api.db.execute(sql`delete from posts where id = ${earlier}`);
    expect(await countOf(sql`deliveries`, sql`user_id`, id)).toBe(1);
    const remove = (body: object) => api.call(meDelete, { headers, body });
    expect(refusal(await remove({ handle: 'other.test', isSure: true }))).toEqual(
      catalogued('invalid_input', 'This is not your handle'),
    );
    expect(refusal(await remove({ handle: 'gone.test', isSure: false }))).toEqual(
      catalogued('invalid_input', 'Confirm that all your data shall be deleted'),
    );
    const done = await remove({ handle: '@Gone.test', isSure: true });
    expect(done.answer).toEqual({ success: true });
    expect(done.headers['set-cookie']).toMatch(/^__Host-member=; Max-Age=0;/);
    expect(refusal(await api.call(meGet, { headers }))).toEqual(catalogued('session_ended'));
    for (const [table, column] of [
      [sql`users`, sql`id`],
      [sql`posts`, sql`user_id`],
      [sql`deliveries`, sql`user_id`],
      [sql`plan_assignments`, sql`user_id`],
      [sql`member_sessions`, sql`user_id`],
    ] as const) {
      expect(await countOf(table, column, id)).toBe(0);
    }
    expect(await countOf(sql`posts`, sql`user_id`, neighbour.id)).toBe(1);
    const entry = await api.db.one(sql`
      select action, actor_name as actor, actor_id as admin, network, before, after
      from audit_log where entity_id = ${id} order by id desc limit 1`);
    expect(entry).toEqual({
      action: 'meDelete',
      actor: 'person',
      admin: null,
      network: null,
      before: null,
      after: null,
    });
  });

  test('is not deleted while a post is being published, not even in part', async () => {
    const { id, headers } = await person({ handle: 'busy.test' });
    await insertPost(api.db, id);
    const sent = await insertPost(api.db, id, { status: 'PROCESSING' });
    const remove = () =>
      api.call(meDelete, { headers, body: { handle: 'busy.test', isSure: true } });
    expect(refusal(await remove())).toEqual(catalogued('still_publishing'));
    expect(await countOf(sql`posts`, sql`user_id`, id)).toBe(2);
    await api.db.execute(sql`update posts set status = 'CANCELLED' where id = ${sent}`);
    expect((await remove()).status).toBe(200);
  });
});

const AT_ONCE = 20;
const CLOSED = '/me?error=closed_beta';

describe.each(EITHER)('closed beta, on the %s database', (engine) => {
  const api = setUpApp(engine, { env: { NETWORK: 'local' } });
  beforeAll(async () => {
    await api.signIn();
    await insertUser(api.db, { handle: 'before.test' });
    await api.db.execute(sql`update service_settings set is_closed_beta = true`);
  });

  const signIn = (handle: string, keyword?: string) => createBrowser(api).signIn(handle, keyword);
  const usersOf = async (pattern: string) =>
    api.db.one<{ people: number; withKeyword: number }>(sql`
      select count(*)::int as people,
        count(*) filter (where has_access_keyword_access)::int as "withKeyword"
      from users where handle like ${pattern}`);
  const usesOf = async (id: string) =>
    (await api.db.one<{ uses: number }>(sql`select uses from access_keywords where id = ${id}`))
      .uses;

  test('does not affect the users who were there before', async () => {
    expect(await signIn('before.test')).toBe('/me');
    expect(await usersOf('before.test')).toEqual({ people: 1, withKeyword: 0 });
  });

  test('refuses a newcomer without a keyword and keeps nothing of them', async () => {
    expect(await signIn('stranger.test')).toBe(CLOSED);
    expect(await usersOf('stranger.test')).toEqual({ people: 0, withKeyword: 0 });
    expect(SIGN_IN_ERRORS.closed_beta).toContain('You need an access keyword to join.');
  });

  test('lets a newcomer in with a keyword, once and for all', async () => {
    const id = await insertKeyword(api.db, { word: 'open sesame', maxUses: 5 });
    const browser = createBrowser(api);
    expect(await browser.signIn('friend.test', ' Open SESAME ')).toBe('/me');
    const me = meGet.answer.parse((await browser.send({ url: meGet.path })).json());
    expect(me.schedule).toEqual({ isAllowed: true, sentence: null });
    expect(await usersOf('friend.test')).toEqual({ people: 1, withKeyword: 1 });
    expect(await signIn('friend.test')).toBe('/me');
    expect(await signIn('friend.test', 'open sesame')).toBe('/me');
    expect(await signIn('before.test', 'open sesame')).toBe('/me');
    expect(await usesOf(id)).toBe(1);
  });

  test('lets a user in who was made known meanwhile, with a keyword only', async () => {
    const created_at = new Date(Date.now() + 60_000).toISOString();
    await insertUser(api.db, { handle: 'meanwhile.test', created_at });
    expect(await signIn('meanwhile.test')).toBe(CLOSED);
    await insertKeyword(api.db, { word: 'late comer', maxUses: 1 });
    expect(await signIn('meanwhile.test', 'late comer')).toBe('/me');
    expect(await usersOf('meanwhile.test')).toEqual({ people: 1, withKeyword: 1 });
  });

  test('refuses a keyword that does not exist', async () => {
    const body = { handle: 'wrong.test', keyword: 'no such keyword' };
    expect(refusal(await api.call(meSignIn, { body }))).toEqual(catalogued('keyword_refused'));
  });

  test.each([
    ['revoked', sql`revoked_at = now()`],
    ['expired', sql`expires_at = now()`],
    ['used up', sql`uses = max_uses`],
  ])('refuses a keyword that is %s, at the beginning and at the end', async (name, change) => {
    const word = `keyword ${name}`;
    const handle = `${name.replace(' ', '-')}.test`;
    const id = await insertKeyword(api.db, { word, maxUses: 1 });
    const browser = createBrowser(api);
    const { redirectTo } = (await browser.begin(handle, word)).json<{ redirectTo: string }>();
    await api.db.execute(sql`update access_keywords set ${change} where id = ${id}`);
    const state = new URLSearchParams(redirectTo.split('?')[1]).get('state') ?? '';
    const { headers } = await browser.consent(state, { handle, decision: 'allow' });
    const arrived = await browser.send({ url: String(headers.location) });
    expect(arrived.headers.location).toBe('/me?error=wrong_keyword');
    expect(await usersOf(handle)).toEqual({ people: 0, withKeyword: 0 });
    const again = await api.call(meSignIn, { body: { handle, keyword: word } });
    expect(refusal(again)).toEqual(catalogued('keyword_refused'));
  });

  test(`lets one of ${AT_ONCE} in who use the last use at once`, async () => {
    for (let round = 0; round < 5; round += 1) {
      const word = `last use ${round}`;
      const id = await insertKeyword(api.db, { word, maxUses: 3, uses: 2 });
      const names = Array.from({ length: AT_ONCE }, (_, n) => `race-${round}-${n}.test`);
      const callbacks: (() => Promise<unknown>)[] = [];
      // One after the other: guesses at once are limited, which has a test of its own.
      for (const handle of names) {
        await api.db.execute(sql`delete from attempt_buckets`);
        const browser = createBrowser(api);
        const { redirectTo } = (await browser.begin(handle, word)).json<{ redirectTo: string }>();
        const state = new URLSearchParams(redirectTo.split('?')[1]).get('state') ?? '';
        const { headers } = await browser.consent(state, { handle, decision: 'allow' });
        callbacks.push(
          async () => (await browser.send({ url: String(headers.location) })).headers.location,
        );
      }
      const ends = await Promise.all(callbacks.map((comeBack) => comeBack()));
      expect(ends.filter((end) => end === '/me')).toHaveLength(1);
      expect(ends.filter((end) => end === '/me?error=wrong_keyword')).toHaveLength(AT_ONCE - 1);
      expect(await usesOf(id)).toBe(3);
      expect(await usersOf(`race-${round}-%`)).toEqual({ people: 1, withKeyword: 1 });
    }
  });

  test('limits wrong keywords of a network, and right ones not', async () => {
    await api.db.execute(sql`delete from attempt_buckets`);
    await insertKeyword(api.db, { word: 'right one' });
    const guess = (keyword: string) => api.call(meSignIn, { body: { handle: 'a.test', keyword } });
    for (let n = 0; n < 15; n += 1) expect((await guess('right one')).status).toBe(200);
    for (let n = 0; n < 10; n += 1) expect((await guess(`wrong ${n}`)).status).toBe(403);
    const refused = await guess('right one');
    expect(refusal(refused)).toEqual(catalogued('too_many_requests'));
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });
});

const blob = (mimeType: string, size: number): unknown =>
  expect.objectContaining({ $type: 'blob', mimeType, size });

describe.each(EITHER)('a post of a member on %s', (engine) => {
  const closers = createClosers();
  let api: TestApp;
  beforeAll(async () => {
    api = await startTestApp(engine, { env: { NETWORK: 'local' } });
    await api.signIn();
    await startEngineOf(api.context, closers);
  });
  afterAll(async () => {
    await closers.closeAll();
    await api.close();
  });

  test('goes out with two pictures, their alt texts and their shapes', async () => {
    const me = await startMember(api);
    const wide = png({ width: 40, height: 30 });
    const first = await me.picture(wide);
    const second = (await me.upload(JPEG, 'image/jpeg')).json<{ media: { id: string } }>().media.id;
    const images = [
      { mediaId: first, alt: 'Wide' },
      { mediaId: second, alt: 'Small' },
    ];
    const content = 'Two pictures 🌸 #spring';
    const { post } = (await me.schedule({ content, images, scheduledAt: inMinutes(0) })).answer;
    const get = async () =>
      (await api.call(mePostGet, { params: { id: post.id }, headers: me.headers })).answer.post;
    await expect.poll(async () => (await get()).status, { timeout: 60_000 }).toBe('COMPLETED');

    const { did } = await api.db.one<{ did: string }>(
      sql`select did from users where id = ${me.userId}`,
    );
    const published = await get();
    expect(published.url).toMatch(`/local-network/profile/${did}/post/`);
    expect(published.can).toEqual({ edit: false, cancel: false, delete: true, retry: false });
    const { record } = await api.db.one<{ record: object }>(sql`
      select record from local_records where did = ${did}`);
    expect(record).toMatchObject({
      text: content,
      facets: [{ index: { byteStart: 18, byteEnd: 25 }, features: [{ tag: 'spring' }] }],
      embed: {
        $type: 'app.bsky.embed.images',
        images: [
          {
            alt: 'Wide',
            aspectRatio: { width: 40, height: 30 },
            image: blob('image/png', wide.length),
          },
          {
            alt: 'Small',
            aspectRatio: { width: 1, height: 1 },
            image: blob('image/jpeg', JPEG.length),
          },
        ],
      },
    });
    const blobs = await api.db.many<{ bytes: Buffer }>(sql`
      select bytes from local_blobs where did = ${did} order by length(bytes)`);
    expect(blobs.map(({ bytes }) => bytes.toString('hex')).toSorted()).toEqual(
      [wide, JPEG].map((bytes) => bytes.toString('hex')).toSorted(),
    );
  });
});
