import { POST_SORTS, SORT_ORDERS, postList, userPosts } from '@meridian/contract/posts';
import { ticketList } from '@meridian/contract/tickets';
import { userList } from '@meridian/contract/users';
import { beforeAll, describe, expect, test } from 'vitest';
import { setUpApp } from '../../test/app.ts';
import { insertPost, insertUser } from '../../test/fixtures.ts';
import { insertManyPosts } from '../../test/many-posts.ts';
import { insertManyTickets } from '../../test/many-tickets.ts';
import { planBody } from '../../test/plan-fixtures.ts';
import { HOST } from '../audit/audit.store.ts';
import { decodeCursor, encodeCursor } from './page.ts';
import type { Keyset } from './page.ts';
import { sql } from './sql.ts';

const POSTS = 200;
const NEWER = '2027-01-01T00:00:00.000Z';
const OLDER = '2025-01-01T00:00:00.000Z';

type Cursors = { next: string | null; previous: string | null };
type Page = { ids: string[]; cursors: Cursors };
type Read = (cursor: string | undefined) => Promise<Page>;

/** Rows by Next from the first page to the last, then back by Previous to the first. */
async function walk(read: Read, betweenPages: () => Promise<unknown>) {
  const down: string[] = [];
  const up: string[] = [];
  let page = await read(undefined);
  down.push(...page.ids);
  while (page.cursors.next !== null) {
    await betweenPages();
    page = await read(page.cursors.next);
    down.push(...page.ids);
  }
  while (page.cursors.previous !== null) {
    page = await read(page.cursors.previous);
    up.unshift(...page.ids);
  }
  return { down, up };
}

describe('cursor paging while rows are inserted and deleted', () => {
  const api = setUpApp('embedded');
  let token: string;
  let author: string;

  beforeAll(async () => {
    ({ token } = await api.signIn());
    author = await insertUser(api.db, { handle: 'walker.test' });
    await insertManyPosts(api.db, [author], POSTS);
  });

  /** A change before and after every position in every order. */
  async function disturb(): Promise<void> {
    const first = { scheduled_at: NEWER, created_at: NEWER, status: 'PENDING' } as const;
    const last = { scheduled_at: OLDER, created_at: OLDER, status: 'COMPLETED' } as const;
    const ids = [await insertPost(api.db, author, first), await insertPost(api.db, author, last)];
    await insertPost(api.db, author, { status: 'CANCELLED' });
    await api.db.execute(sql`delete from posts where id = any(${ids}) and random() < 0.3`);
  }

  const readPostsOfUser: Read = async (cursor) => {
    const query = { limit: '10', ...(cursor === undefined ? {} : { cursor }) };
    const { answer } = await api.call(userPosts, { token, params: { id: author }, query });
    return { ids: answer.posts.map(({ id }) => id), cursors: cursorsOf(answer) };
  };
  const readUsers: Read = async (cursor) => {
    const query = cursor === undefined ? {} : { cursor };
    const { answer } = await api.call(userList, { token, query });
    return { ids: answer.users.map(({ id }) => id), cursors: cursorsOf(answer) };
  };

  const lists = POST_SORTS.flatMap((sort) =>
    SORT_ORDERS.flatMap((order) => [
      { query: { sort, order } },
      { query: { sort, order, userFilter: 'WALKER' } },
      { query: { sort, order, status: 'COMPLETED' } },
      { query: { sort, order, status: 'COMPLETED', userFilter: 'walker' } },
    ]),
  );
  test.each(lists)('repeats and skips no post of $query', async ({ query }) => {
    const { status = '' } = query as { status?: string };
    const before = await api.db.many<{ id: string }>(
      sql`select id from posts where ${status} in ('', status)`,
    );
    const read: Read = async (cursor) => {
      const { answer } = await api.call(postList, {
        token,
        query: { ...query, ...(cursor === undefined ? {} : { cursor }) },
      });
      return { ids: answer.posts.map(({ id }) => id), cursors: cursorsOf(answer) };
    };
    const { down, up } = await walk(read, disturb);
    expect(new Set(down).size).toBe(down.length);
    expect(new Set(up).size).toBe(up.length);
    const stillThere = await api.db.many<{ id: string }>(
      sql`select id from posts where id = any(${before.map(({ id }) => id)})`,
    );
    expect(stillThere.map(({ id }) => id).filter((id) => !down.includes(id))).toEqual([]);
    // Back from the last page to the first; the last page itself was read on the way down.
    const all = new Set([...up, ...down]);
    expect(stillThere.map(({ id }) => id).filter((id) => !all.has(id))).toEqual([]);
    expect(up.length).toBeGreaterThanOrEqual(down.length - 2 * 20);
  });

  test("repeats and skips none of a user's posts", async () => {
    const { down } = await walk(readPostsOfUser, disturb);
    expect(new Set(down).size).toBe(down.length);
    expect(down.length).toBeGreaterThanOrEqual(POSTS);
  });

  test('repeats and skips no user', async () => {
    for (let number = 0; number < 50; number += 1) await insertUser(api.db);
    const { down, up } = await walk(readUsers, () => insertUser(api.db, { created_at: NEWER }));
    expect(new Set(down).size).toBe(down.length);
    expect(down.length).toBeGreaterThanOrEqual(51);
    expect(new Set(up).size).toBe(up.length);
  });

  test('repeats and skips no ticket', async () => {
    const plan = await api.context.plans.create(HOST, planBody({ tier: 'PREMIUM', name: 'paged' }));
    const { adminId } = await api.signIn('grace');
    await insertManyTickets(api.db, { planId: plan.id, issuerId: adminId, count: 50 });
    const read: Read = async (cursor) => {
      const query = { limit: '20', ...(cursor === undefined ? {} : { cursor }) };
      const { answer } = await api.call(ticketList, { token, query });
      return { ids: answer.tickets.map(({ id }) => id), cursors: cursorsOf(answer) };
    };
    const { down, up } = await walk(read, async () => {});
    expect(down).toHaveLength(50);
    expect(new Set(down).size).toBe(50);
    expect(up).toEqual(down.slice(0, 40));
  });

  test('begins at the offset without a cursor, and with one that does not fit', async () => {
    const all = await api.db.many<{ id: string }>(
      sql`select id from posts order by scheduled_at desc, id desc offset 40 limit 20`,
    );
    for (const cursor of [{}, { cursor: 'bm90IGEgY3Vyc29y' }]) {
      const query = { offset: '40', ...cursor };
      const { answer } = await api.call(postList, { token, query });
      expect(answer.posts.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
      expect(answer.cursors).toMatchObject({ previous: expect.any(String) });
    }
  });

  test('keeps the exact total on every page', async () => {
    const first = await api.call(postList, { token });
    const next = await api.call(postList, {
      token,
      query: { cursor: first.answer.cursors?.next ?? '' },
    });
    expect(next.answer.total).toBe(first.answer.total);
  });
});

/** Our own server always sends them. */
function cursorsOf({ cursors }: { cursors?: Cursors | undefined }): Cursors {
  if (cursors === undefined) throw new Error('A page without cursors');
  return cursors;
}

const KEYSET: Keyset = {
  keys: [
    { column: sql`status`, type: 'text' },
    { column: sql`scheduled_at`, type: 'time' },
    { column: sql`id`, type: 'id' },
  ],
  order: 'desc',
};
const VALUES = ['PENDING', '2026-02-28T23:59:59.123456Z', '018f0000-0000-7000-8000-000000000001'];

test.each(['next', 'previous'] as const)('a cursor to the %s page is read back', (side) => {
  const cursor = { side, values: VALUES };
  const text = encodeCursor(cursor, KEYSET);
  expect(text).toBe(`${side}.PENDING.20260228235959123456.018f0000000070008000000000000001`);
  expect(decodeCursor(text, KEYSET)).toEqual(cursor);
});

const TIME = '20260228235959123456';
const ID = '018f0000000070008000000000000001';
test.each<[string, string]>([
  ['nothing', ''],
  ['another side', `up.PENDING.${TIME}.${ID}`],
  ['the keys of another list', `next.${TIME}.${ID}`],
  ['more keys', `next.PENDING.${TIME}.${ID}.${ID}`],
  ['a day that the calendar lacks', `next.PENDING.20260230000000000000.${ID}`],
  ['a time in other words', `next.PENDING.now.${ID}`],
  ['an id that is none', `next.PENDING.${TIME}.1; drop table posts`],
  ['a text with a null character', `next.\0.${TIME}.${ID}`],
  ['a text with a quote', `next.P'.${TIME}.${ID}`],
])('a cursor of %s does not fit', (_, text) => {
  expect(decodeCursor(text, KEYSET)).toBe(null);
});
