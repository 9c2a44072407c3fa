import { meGet, meSignIn } from '@meridian/contract/me/account';
import { SIGN_IN_ERRORS } from '@meridian/contract/me/sign-in-errors';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { createBrowser, insertKeyword } from '../../../test/members.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { sql } from '../../db/sql.ts';

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

  test('does not affect the people who were there before', async () => {
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

  test('lets a person in who was made known meanwhile, with a keyword only', async () => {
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
