import { assignmentList } from '@meridian/contract/assignments';
import { currencyGet, currencyList } from '@meridian/contract/currencies';
import type { Endpoint } from '@meridian/contract/endpoint';
import { planGet, planList } from '@meridian/contract/plans';
import {
  POST_SORTS,
  POST_STATUS_FILTERS,
  postGet,
  postList,
  POSTS_PAGE_SIZE,
  RECENT_POSTS_SIZE,
  SORT_ORDERS,
  userPosts,
} from '@meridian/contract/posts';
import { isRecord } from '@meridian/contract/response-shape';
import { settingsGet } from '@meridian/contract/settings';
import { statsGet } from '@meridian/contract/stats';
import { ticketGet, ticketList } from '@meridian/contract/tickets';
import { USER_STATUS_FILTERS, userGet, userList, USERS_PAGE_SIZE } from '@meridian/contract/users';
import {
  checkPaging,
  checkSort,
  checkStatusFilter,
  checkStatusOrders,
  probeList,
  totalProblem,
} from './lists.ts';
import { idOf, rowsOf, textAt, UNKNOWN_ID, unknownId } from './probe.ts';
import type { Probe, Row } from './probe.ts';

const USERS_LOOKED_AT = 5;
const NO_SUCH_USER = 'check-upstream-no-such-user';

export async function checkReads(probe: Probe): Promise<void> {
  await probe.succeeds(settingsGet);
  await checkStats(probe);
  const users = await checkUsers(probe);
  await checkPosts(probe);
  for (const id of users) await checkUserCards(probe, id);
  if (users.length === 0) {
    for (const endpoint of [userPosts, assignmentList]) {
      probe.report.add('notTried', endpoint, 'the list of users is empty');
    }
  }
  const all = { includeInactive: 'true' };
  const tickets = { list: ticketList, name: 'tickets', get: ticketGet, query: {} };
  await checkAssignments(probe, await checkWholeList(probe, tickets));
  const plans = { ...all, includeInvisible: 'true' };
  await checkWholeList(probe, { list: planList, name: 'plans', get: planGet, query: plans });
  await checkWholeList(probe, {
    list: currencyList,
    name: 'currencies',
    get: currencyGet,
    query: all,
  });
}

async function checkStats(probe: Probe): Promise<void> {
  const stats = await probe.succeeds(statsGet);
  for (const name of ['users', 'posts']) {
    const part = stats?.[name];
    if (!isRecord(part) || typeof part['total'] !== 'number') continue;
    const slices = rowsOf(part, 'byStatus').map(({ count }) => Number(count));
    const sum = slices.reduce((all, count) => all + count, 0);
    if (sum === part['total'] || Number.isNaN(sum)) continue;
    probe.differs(
      statsGet,
      `the counts of \`${name}.byStatus\` add up to ${sum}, but \`${name}.total\` is ${part['total']}: the chart would not show all`,
    );
  }
}

/** Returns ids of a few users. */
async function checkUsers(probe: Probe): Promise<string[]> {
  const list = probeList(probe, { endpoint: userList, name: 'users', pageSize: USERS_PAGE_SIZE });
  await checkPaging(list);
  await checkStatusFilter(list, USER_STATUS_FILTERS);
  const { rows } = await list.page();
  await checkOne(probe, userGet, 'user', rows);
  return rows.slice(0, USERS_LOOKED_AT).flatMap((row) => idOf(row) ?? []);
}

async function checkPosts(probe: Probe): Promise<void> {
  const list = probeList(probe, { endpoint: postList, name: 'posts', pageSize: POSTS_PAGE_SIZE });
  await checkPaging(list);
  await checkStatusFilter(list, POST_STATUS_FILTERS);
  for (const sort of POST_SORTS) {
    for (const order of SORT_ORDERS) await checkSort(list, sort, order);
  }
  await checkStatusOrders(list);
  const { rows } = await list.page();
  const author = rows.map(({ user }) => user).find(isRecord);
  const names = ['handle', 'did'].flatMap((field) => textAt(author, field) || []);
  names.push(...names.slice(0, 1).map((name) => name.toUpperCase()));
  // A wildcard of SQL is a character like any other.
  for (const filter of [...names, NO_SUCH_USER, '%']) {
    await list.check(async () => {
      const found = await list.page({ userFilter: filter });
      if (found.rows.some((row) => !isBy(row, filter))) {
        return '?userFilter returned posts of users whose handle and DID do not contain the text';
      }
      const isLost = names.includes(filter) && found.rows.length === 0;
      return isLost
        ? '?userFilter with the handle or the DID of an author returned no post; upper and lower case are the same'
        : totalProblem(list, { userFilter: filter }, ' with ?userFilter');
    });
  }
  await checkOne(probe, postGet, 'post', rows);
}

function isBy({ user }: Row, text: string): boolean {
  const author = isRecord(user) ? user : {};
  const names = [textAt(author, 'handle'), textAt(author, 'did')];
  return names.some((name) => name?.toLowerCase().includes(text.toLowerCase()));
}

/** What the page of a user shows besides the user. */
async function checkUserCards(probe: Probe, id: string): Promise<void> {
  const request = { params: { id }, query: { limit: RECENT_POSTS_SIZE } };
  const posts = rowsOf(await probe.succeeds(userPosts, request), 'posts');
  if (posts.length > RECENT_POSTS_SIZE) {
    probe.differs(userPosts, `?limit=${RECENT_POSTS_SIZE} returned ${posts.length} posts`);
  }
  if (posts.some((post) => textAt(post, 'user_id') !== id)) {
    probe.differs(userPosts, 'a post has the `user_id` of another user');
  }
  if (posts.length > 1) {
    const one = rowsOf(
      await probe.succeeds(userPosts, { params: { id }, query: { limit: 1 } }),
      'posts',
    );
    if (one.length > 1) probe.differs(userPosts, `?limit=1 returned ${one.length} posts`);
  }
  await probe.succeeds(assignmentList, { params: { id } });
}

type WholeList = { list: Endpoint; name: string; get: Endpoint; query: Record<string, string> };

async function checkWholeList(probe: Probe, { list, name, get, query }: WholeList): Promise<Row[]> {
  const rows = rowsOf(await probe.succeeds(list, { query }), name);
  const ids = rows.flatMap((row) => idOf(row) ?? []);
  if (new Set(ids).size !== ids.length) probe.differs(list, 'two rows have the same `id`');
  await checkOne(probe, get, get.name.replace('Get', ''), rows);
  return rows;
}

/** The first ticket and the first users may have none. */
async function checkAssignments(probe: Probe, tickets: readonly Row[]): Promise<void> {
  const id = idOf(tickets.find(({ redemptionCount }) => Number(redemptionCount) > 0));
  if (id === null) return;
  const [assignment] = rowsOf(await probe.succeeds(ticketGet, { params: { id } }), 'assignments');
  const userId = isRecord(assignment?.['user']) ? idOf(assignment['user']) : null;
  if (userId !== null) await probe.succeeds(assignmentList, { params: { id: userId } });
}

/** One resource by its id, and by an id that is none. */
async function checkOne(
  probe: Probe,
  endpoint: Endpoint,
  name: string,
  rows: readonly Row[],
): Promise<void> {
  const id = idOf(rows[0]);
  await probe.isRefused(endpoint, { params: { id: unknownId(id) } }, UNKNOWN_ID);
  if (id === null) {
    probe.report.add('notTried', endpoint, 'a known id: the list has none');
    return;
  }
  const found = (await probe.succeeds(endpoint, { params: { id } }))?.[name];
  if (isRecord(found) && idOf(found) !== id) {
    probe.differs(endpoint, `\`${name}.id\` is not the id that was asked for`);
  }
}
