import { currencyGet, currencyUpdate } from '@meridian/contract/currencies';
import type { Endpoint } from '@meridian/contract/endpoint';
import {
  postCancel,
  postDelete,
  postGet,
  postList,
  postUpdate,
  userPosts,
} from '@meridian/contract/posts';
import { settingsGet, settingsUpdate } from '@meridian/contract/settings';
import { userGet, userList, userRestrict, userUpdate } from '@meridian/contract/users';
import { beforeAll, describe, expect, it } from 'vitest';
import { EITHER, setUpApp } from '../../test/app.ts';
import { insertPost, insertUser } from '../../test/fixtures.ts';
import { insertCurrency } from '../../test/plan-fixtures.ts';
import { catalogued, refusal } from '../../test/refusal.ts';
import { sql } from '../db/sql.ts';
import { expectedBy } from './register.ts';

const USER = 'This user was changed by someone else. Reload and try again.';
const POST = 'This post was changed by someone else. Reload and try again.';
const SETTINGS = 'The settings were changed by someone else. Reload and try again.';

describe.each(EITHER)('versions of users, posts and settings on %s', (engine) => {
  const test = setUpApp(engine);
  let token: string;
  let userId: string;

  beforeAll(async () => {
    ({ token } = await test.signIn());
    userId = await insertUser(test.db);
  });

  const newPost = () => insertPost(test.db, userId);
  const tagOf = async (endpoint: Endpoint, params?: Record<string, string>) =>
    String((await test.call(endpoint, { token, ...(params && { params }) })).headers['etag']);
  const user = async (id: string) =>
    (await test.call(userGet, { token, params: { id } })).answer.user;
  const post = async (id: string) =>
    (await test.call(postGet, { token, params: { id } })).answer.post;
  const entries = async () =>
    (await test.db.one<{ n: number }>(sql`select count(*) as n from audit_log`)).n;

  it('are in the header, in the body and in the lists', async () => {
    const id = await newPost();
    expect(await tagOf(userGet, { id: userId })).toBe(`"v${(await user(userId)).version}"`);
    expect(await tagOf(postGet, { id })).toBe('"v1"');
    const settings = (await test.call(settingsGet, { token })).answer;
    expect(await tagOf(settingsGet)).toBe(`"v${settings.version}"`);
    const lists = [
      (await test.call(userList, { token })).answer.users,
      (await test.call(postList, { token })).answer.posts,
      (await test.call(userPosts, { token, params: { id: userId } })).answer.posts,
    ];
    expect(lists.map(([first]) => first?.version)).toEqual([1, 1, 1]);
  });

  it.each([
    ['userUpdate', userUpdate, { status: 'SUSPENDED' }, USER],
    ['userUpdate', userUpdate, { is_active: false }, USER],
    ['userRestrict', userRestrict, { upgradeProhibited: true }, USER],
    ['postUpdate', postUpdate, { status: 'PROCESSING' }, POST],
    ['postCancel', postCancel, undefined, POST],
    ['postDelete', postDelete, undefined, POST],
    ['settingsUpdate', settingsUpdate, { is_closed_beta: true }, SETTINGS],
  ] as const)(
    '%s %o is made from the version that was seen',
    async (name, endpoint, body, text) => {
      const isPost = name.startsWith('post');
      const id = isPost ? await newPost() : await insertUser(test.db);
      const params = { id };
      const read = () =>
        name === 'settingsUpdate' ? tagOf(settingsGet) : tagOf(isPost ? postGet : userGet, params);
      const ask = (tag: string) =>
        test.call<Endpoint>(endpoint, {
          token,
          params,
          headers: { 'if-match': tag },
          ...(body !== undefined && { body }),
        });
      const seen = await read();
      const before = await entries();
      for (const stale of ['"v99"', '"v2147483648"', '"v9999999999999999"', `W/${seen}`, '']) {
        const { status, error } = await ask(stale);
        expect([status, error.message]).toEqual([412, text]);
      }
      expect([await read(), await entries()]).toEqual([seen, before]);
      expect((await ask(`"v999", ${seen}`)).status).toBe(200);
      // Another version, or none of what was deleted.
      expect(await read()).not.toBe(seen);
    },
  );

  it('are passed over when an unknown id is asked for', async () => {
    const params = { id: '01890000-0000-7000-8000-000000000000' };
    const headers = { 'if-match': '"v1"' };
    const gone = await test.call(postDelete, { token, params, headers });
    expect(refusal(gone)).toEqual(catalogued('post_not_found'));
    const missing = await test.call(userUpdate, {
      token,
      params,
      headers,
      body: { is_active: true },
    });
    expect(refusal(missing)).toEqual(catalogued('user_not_found'));
  });

  it('let one of two changes at the same moment win', async () => {
    const id = await newPost();
    const tag = await tagOf(postGet, { id });
    const answers = await Promise.all(
      ['PROCESSING', 'FAILED', 'COMPLETED', 'CANCELLED'].map((status) =>
        test.call(postUpdate, {
          token,
          params: { id },
          body: { status },
          headers: { 'if-match': tag },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(3);
    expect((await post(id)).version).toBe(2);
  });

  it('rise when another program writes, and stay when nothing changes', async () => {
    const id = await newPost();
    await test.db.execute(sql`update posts set content = 'Another text' where id = ${id}`);
    await test.db.execute(sql`update posts set content = 'Another text' where id = ${id}`);
    expect((await post(id)).version).toBe(2);
    const one = await insertUser(test.db);
    await test.db.execute(sql`update users set handle = 'other.test' where id = ${one}`);
    await test.db.execute(sql`update users set handle = 'other.test' where id = ${one}`);
    expect((await user(one)).version).toBe(2);
  });

  it('stay, and nothing is recorded, when the present value is sent again', async () => {
    const one = await insertUser(test.db);
    const currencyId = await insertCurrency(test.db, 'eur');
    const reads = async () => [
      await user(one),
      (await test.call(settingsGet, { token })).answer,
      (await test.call(currencyGet, { token, params: { id: currencyId } })).answer,
      await entries(),
    ];
    const settings = (await test.call(settingsGet, { token })).answer;
    const before = await reads();
    const params = { id: one };
    const answers = [
      await test.call(userUpdate, { token, params, body: { status: 'ACTIVE' } }),
      await test.call(userUpdate, { token, params, body: { is_active: true } }),
      await test.call(userRestrict, { token, params, body: { upgradeProhibited: false } }),
      await test.call(settingsUpdate, {
        token,
        body: { is_closed_beta: settings.is_closed_beta },
      }),
      await test.call(currencyUpdate, {
        token,
        params: { id: currencyId },
        body: { name: 'EUR', symbol: '¤', decimalPlaces: 2, isActive: true },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await reads()).toEqual(before);
  });
});

describe('the versions that If-Match names', () => {
  it.each([
    [undefined, null],
    ['*', null],
    [' * ', null],
    ['"v7"', [7]],
    ['"v1793000000123456"', [1_793_000_000_123_456]],
    [' "v7" , "v12"', [7, 12]],
    ['"v7", "abc"', [7]],
    // A weak tag never matches here, nor does anything unreadable.
    ['W/"v7"', []],
    ['v7', []],
    ['"v7', []],
    ['"v-1"', []],
    ['"v99999999999999999"', []],
    ['', []],
  ])('reads %j', (header, versions) => {
    expect(expectedBy({ headers: { 'if-match': header } })).toEqual(versions);
  });
});
