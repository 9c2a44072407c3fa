import { POST_SORTS, POST_STATUS_FILTERS, postStatusOf } from '@meridian/contract/posts';
import type { PostSort } from '@meridian/contract/posts';
import type { Closers } from '../server/src/background-task.ts';
import { findPost, listPosts } from '../server/src/features/posts/posts.store.ts';
import { connect, FEW, USERS } from './databases.ts';
import type { Bench } from './databases.ts';
import { percentiles, ratio } from './marks.ts';
import type { MarkId, Reading } from './marks.ts';
import { interleave } from './measure.ts';
import { startBare, startMeridian, statementOf } from './servers.ts';
import type { Get } from './servers.ts';

const PAGE = 20;

export function postsPath(query: Record<string, string | number> = {}): string {
  const text = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return `/api/admin/posts?${new URLSearchParams(text).toString()}`;
}

const LISTS = POST_SORTS.flatMap((sort) =>
  [undefined, ...POST_STATUS_FILTERS].map((filter) => ({ sort, filter })),
);

function listStatement({ sort, filter }: (typeof LISTS)[number]) {
  const status = filter === undefined ? undefined : postStatusOf(filter);
  const request = { sort, order: 'desc', status, limit: PAGE, offset: 0 } as const;
  return statementOf((db) => listPosts(db, request));
}

const A_POST = 'select id from posts order by embed is null, created_at desc limit 1';

/** Compares lists, a post, the next page and statistics with bare routes, page 1 and a small database. */
export async function reads({ sizes, filled }: Bench, closers: Closers): Promise<Reading[]> {
  const { many, budgetMs } = sizes;
  const open = async (posts: number) => {
    const database = await filled(posts);
    const { first } = await connect(database, closers);
    const { id } = await first<{ id: string }>(A_POST);
    return { database, id, ...(await startMeridian(database, closers)) };
  };
  const [small, large] = [await open(FEW), await open(many)];
  const statements = await Promise.all(LISTS.map(listStatement));
  statements.push(await statementOf((db) => findPost(db, large.id)));
  const bare = await startBare({ connectionString: large.database, statements }, closers);

  const readings: Reading[] = [];
  const compare = async (mark: MarkId, name: string, at: number, ours: string, before = ours) => {
    const sides = { ours: large.get(ours), bare: bare(`/${at}`), before: small.get(before) };
    const taken = await interleave(sides, budgetMs);
    readings.push(ratio(mark, name, taken.ours, taken.bare));
    readings.push(ratio('growth', name, taken.ours, taken.before));
  };
  for (const [at, { sort, filter }] of LISTS.entries()) {
    const name = `by ${sort}${filter === undefined ? '' : `, ${filter.toLowerCase()}`}`;
    await compare('list', name, at, postsPath({ sort, ...(filter && { status: filter }) }));
  }
  const post = `/api/admin/posts/${large.id}`;
  await compare('detail', 'a post', LISTS.length, post, `/api/admin/posts/${small.id}`);

  for (const sort of POST_SORTS) {
    const next = await nextInTheMiddle(large.get, sort, many);
    const before = await nextInTheMiddle(small.get, sort, FEW);
    const sides = { next, first: large.get(postsPath({ sort })), before };
    const taken = await interleave(sides, budgetMs);
    readings.push(ratio('nextPage', `by ${sort}`, taken.next, taken.first));
    readings.push(ratio('growth', `next page by ${sort}`, taken.next, taken.before));
  }

  const stats = '/api/admin/stats';
  const sides = { stats: large.get(stats), post: large.get(post), before: small.get(stats) };
  const taken = await interleave(sides, budgetMs);
  readings.push(ratio('stats', 'statistics', taken.stats, taken.post));
  readings.push(ratio('growth', 'statistics', taken.stats, taken.before));
  return readings;
}

/** The cursor comes with the page before, as in the console. */
async function nextInTheMiddle(get: Get, sort: PostSort, posts: number) {
  const offset = posts / 2;
  const before = await get(postsPath({ sort, offset: offset - PAGE }))();
  // The shape that the contract gives a page.
  const { cursors } = JSON.parse(before.toString()) as { cursors: { next: string } };
  return get(postsPath({ sort, offset, cursor: cursors.next }));
}

/** Times the posts of the users whom a text finds: one of them, one in a hundred, or all. */
export async function search({ sizes, filled }: Bench, closers: Closers): Promise<Reading[]> {
  const database = await filled(sizes.some);
  const { get } = await startMeridian(database, closers);
  const { first } = await connect(database, closers);
  const { handle } = await first<{ handle: string }>(`
    select u.handle from users u join user_post_counters c on c.user_id = u.id
    order by abs(c.completed - 40), u.id limit 1`);
  const { part } = await first<{ part: string }>(
    `select part from (select distinct substr(handle, 1, 4) as part from users limit 300) as parts
     order by abs((select count(*) from users where search_text like '%' || part || '%') - $1), part
     limit 1`,
    [USERS / 100],
  );
  const found = (userFilter: string) => get(postsPath({ userFilter }));
  const sides = {
    'one user': found(handle),
    'one in a hundred': found(part),
    'every user': found('posts.example'),
  };
  const taken = await interleave(sides, sizes.budgetMs);
  return Object.entries(taken).map(([name, summary]) => {
    return { mark: 'search', name, measured: summary.p95, basis: percentiles(summary) };
  });
}
