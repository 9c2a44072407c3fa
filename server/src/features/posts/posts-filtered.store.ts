import type { Cause, CauseOwner } from '@meridian/contract/cause-words';
import { CAUSES } from '@meridian/contract/causes';
import { keysOf } from '@meridian/contract/fields';
import {
  ANY_HOLD,
  FAILURE_TEXT_LENGTH,
  FILTERED_TOTAL_MAX,
  NO_ERROR_TEXT,
  SORTED_TOTAL_MAX,
  STUCK_AFTER_SECONDS,
  UNKNOWN_CAUSE,
  postStatusOf,
} from '@meridian/contract/posts';
import type { PostFilter, PostListFilter, PostSort, SortOrder } from '@meridian/contract/posts';
import { postsOfUser } from '../../counters/counters.ts';
import type { Database, Db } from '../../db/database.ts';
import { indexedColumns, orderBy, pageStart } from '../../db/page.ts';
import { escapeLike, sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { BUSY_MS_MOST } from '../../engine/hosts.ts';
import { LATEST_SCHEDULE, findUsersBy, keysetOf, postsPage, statusesOf } from './posts.store.ts';
import type { PostListRequest, PostSelection, PostsPage } from './posts.store.ts';

// Conditions name the columns of `posts` without an alias.

export const FAILED_AT = sql`coalesce(executed_at, updated_at)`;
/** The index posts_failed_cause has this expression; null has no order of its own. */
const CAUSE_WORD = sql`coalesce(cause, '')`;

export const ERROR_TEXT = sql`
  left(coalesce(nullif(error_msg, ''), ${NO_ERROR_TEXT}), ${sql.whole(FAILURE_TEXT_LENGTH)})`;

/** A busy host puts posts off for this long at most; meanwhile they wait as others do. */
const BUSY_MOST = sql`make_interval(secs => ${sql.whole(BUSY_MS_MOST / 1000)})`;
/** The index posts_claim leads to all that are overdue or stuck, and a few more. */
export const CLAIM_IS_NEAR = sql`claim_at <= now() + ${BUSY_MOST}`;

export const IS_OVERDUE = sql`(status = 'PENDING' and scheduled_at <= now()
  and (claim_at <= now() or hold is null and ${CLAIM_IS_NEAR}))`;
export const IS_STUCK = sql`(
  claim_at < now() - make_interval(secs => ${sql.whole(STUCK_AFTER_SECONDS)}) and status = 'PROCESSING')`;

export function postFilterCondition(filter: PostListFilter): Sql {
  const { status, userFilter, userId, hold, overdue, stuck, text } = filter;
  const conditions = [
    status === undefined ? null : sql`status = ${postStatusOf(status)}`,
    userFilter ? isOfUsers(userFilter) : null,
    userId === undefined ? null : sql`user_id = ${userId}`,
    ...timeConditions(filter),
    ...causeConditions(filter),
    hold === undefined ? null : hold === ANY_HOLD ? sql`hold is not null` : sql`hold = ${hold}`,
    overdue === true ? IS_OVERDUE : null,
    stuck === true ? IS_STUCK : null,
    text ? sql`lower(content) like lower(${`%${escapeLike(text)}%`})` : null,
  ].filter((condition) => condition !== null);
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/** Each post is a lookup: a join would lose the order of the posts. */
function isOfUsers(userFilter: string): Sql {
  const pattern = `%${escapeLike(userFilter)}%`;
  return sql`(select u.search_text like lower(${pattern}) from users u where u.id = user_id)`;
}

function timeConditions({ from, to, failedFrom, failedTo }: PostFilter): (Sql | null)[] {
  return [
    from === undefined ? null : sql`scheduled_at >= ${from}`,
    to === undefined ? null : sql`scheduled_at < ${to}`,
    failedFrom === undefined ? null : sql`status = 'FAILED' and ${FAILED_AT} >= ${failedFrom}`,
    failedTo === undefined ? null : sql`status = 'FAILED' and ${FAILED_AT} < ${failedTo}`,
  ];
}

function causeConditions({ cause, owner, error }: PostFilter): (Sql | null)[] {
  return [
    cause === undefined ? null : sql`status = 'FAILED' and ${isOfCause(cause)}`,
    owner === undefined ? null : sql`status = 'FAILED' and ${isOfOwner(owner)}`,
    error
      ? sql`status = 'FAILED' and ${isOfCause(UNKNOWN_CAUSE)} and ${ERROR_TEXT} = ${error}`
      : null,
  ];
}

function isOfCause(cause: NonNullable<PostFilter['cause']>): Sql {
  return cause === UNKNOWN_CAUSE
    ? sql`${CAUSE_WORD} <> all(${Object.keys(CAUSES)})`
    : sql`${CAUSE_WORD} = ${cause}`;
}

function isOfOwner(owner: CauseOwner): Sql {
  return owner === 'us'
    ? sql`${CAUSE_WORD} <> all(${[...causesOf('person'), ...causesOf('network')]})`
    : sql`${CAUSE_WORD} = any(${causesOf(owner)})`;
}

function causesOf(owner: CauseOwner): Cause[] {
  return keysOf(CAUSES).filter((cause) => CAUSES[cause].owner === owner);
}

const atMost = (max: number) => sql`limit ${sql.whole(max + 1)}`;

/** A list in the order of its index reads the posts of its page; for another order all are read and sorted. */
export async function listFilteredPosts(
  db: Database,
  filter: PostListFilter,
  request: PostListRequest,
): Promise<PostsPage> {
  const index = await findIndex(db, filter, request);
  const isInOrder = index.isBySchedule && request.sort === 'scheduled_at';
  const selection = isInOrder ? pageOfIndex(index, request) : pageOfAll(index, request);
  const page = await postsPage(db.byIndex, selection, request);
  const max = isInOrder ? FILTERED_TOTAL_MAX : SORTED_TOTAL_MAX;
  if (index.total !== undefined || page.total <= max) return page;
  return { ...page, total: max, totalIsCapped: true };
}

function pageOfIndex(index: FilterIndex, request: PostListRequest): PostSelection {
  const keyset = keysetOf(request);
  const { walked, condition, skipped } = pageStart(keyset, request);
  const limit = sql`limit ${skipped + request.limit + 1}`;
  const page = select(index, { sort: request.sort, order: walked.order, after: condition, limit });
  const counted = select(index, {
    sort: request.sort,
    order: null,
    limit: atMost(FILTERED_TOTAL_MAX),
  });
  return {
    keyset,
    source: sql`(${page}) as found`,
    condition: sql`true`,
    total: index.total ?? sql`(select count(*) from (${counted}) as counted)`,
  };
}

function pageOfAll(index: FilterIndex, request: PostListRequest): PostSelection {
  return {
    keyset: keysetOf(request),
    ctes: sql`with found as materialized (${select(index, { ...request, limit: atMost(SORTED_TOTAL_MAX) })})`,
    source: sql`found`,
    condition: sql`true`,
    total: index.total ?? sql`(select count(*) from found)`,
  };
}

export async function selectFound(
  db: Db,
  filter: PostListFilter,
  request: Pick<PostListRequest, 'sort' | 'order' | 'status'>,
): Promise<Sql> {
  return select(await findIndex(db, filter, request), { ...request, limit: sql.empty });
}

type Part = { sort: PostSort; order: SortOrder | null; after?: Sql; limit: Sql };

function select(index: FilterIndex, { sort, order, after = sql`true`, limit }: Part): Sql {
  const keys = indexedColumns(keysetOf({ sort, order: 'desc' }));
  return index.select({
    columns: sql.join(sort === 'created_at' ? [...keys, sql`scheduled_at`] : keys),
    // As a test of its value no part of it can lead the planner to another index.
    condition: sql`(${postFilterCondition(index.rest)}) is true and ${after}`,
    order,
    limit,
  });
}

type Read = { columns: Sql; condition: Sql; order: SortOrder | null; limit: Sql };

type FilterIndex = {
  select: (read: Read) => Sql;
  rest: PostListFilter;
  isBySchedule: boolean;
  total?: Sql;
};

async function findIndex(
  db: Db,
  filter: PostListFilter,
  request: Pick<PostListRequest, 'status'>,
): Promise<FilterIndex> {
  const { overdue, stuck, userId, userFilter, cause, owner, hold } = filter;
  if (overdue === true || stuck === true) {
    return byOtherOrder(filter, CLAIM_IS_NEAR, sql`order by claim_at`);
  }
  if (userId !== undefined) {
    const { status, ...rest } = { ...filter, userId: undefined };
    const lead = { column: sql`user_id`, value: userId };
    const indexed = sql`user_id between ${userId} and ${userId}`;
    const index = bySchedule({ ...rest, status }, lead, indexed);
    const isAlone = Object.values(rest).every((value) => value === undefined || value === '');
    return isAlone ? { ...index, total: postsOfUser(userId, statusesOf(request)) } : index;
  }
  const users = userFilter ? await findUsersBy(db, userFilter, request) : null;
  if (users?.ids) return byOtherOrder(filter, sql`user_id = any(${users.ids}::uuid[])`, sql.empty);
  if (filter.failedFrom !== undefined || filter.failedTo !== undefined) {
    return byOtherOrder(filter, failedWithin(filter), sql`order by ${FAILED_AT} desc`);
  }
  const { from = '-infinity', to = 'infinity', ...others } = filter;
  // The period stands beside an equality: beside a range the scan would go on to the last post of a status.
  const period = sql`scheduled_at >= ${from} and scheduled_at < ${to}`;
  if (filter.error) return byWords(others, CAUSE_INDEX, UNKNOWN_WORDS, period);
  if (cause !== undefined) {
    return byWords({ ...others, cause: undefined }, CAUSE_INDEX, causeWords(cause), period);
  }
  if (owner !== undefined) {
    return byWords({ ...others, owner: undefined }, CAUSE_INDEX, ownerWords(owner), period);
  }
  if (hold !== undefined) {
    return byWords({ ...others, hold: undefined }, HOLD_INDEX, holdWords(hold), period);
  }
  if (filter.status === undefined) return bySchedule(others, null, period);
  const lead = { column: sql`status`, value: postStatusOf(filter.status) };
  const rest = { ...others, status: undefined };
  return bySchedule(rest, lead, sql`status = ${lead.value} and ${period}`);
}

function byOtherOrder(rest: PostListFilter, indexed: Sql, order: Sql): FilterIndex {
  const select = ({ columns, condition, limit }: Read) => sql`
    select ${columns} from posts where ${indexed} and ${condition} ${order} ${limit}`;
  return { select, rest, isBySchedule: false };
}

type Lead = { column: Sql; value: string };

function bySchedule(rest: PostListFilter, lead: Lead | null, indexed: Sql): FilterIndex {
  const select = ({ columns, condition, order, limit }: Read) => sql`
    select ${columns} from posts where ${indexed} and ${condition}
    order by ${orderBy({ ...scheduleOf(order), ...(lead !== null && { lead }) })} ${limit}`;
  return { select, rest, isBySchedule: true };
}

function scheduleOf(order: SortOrder | null) {
  return { ...LATEST_SCHEDULE, order: order ?? LATEST_SCHEDULE.order };
}

function failedWithin({ failedFrom = '-infinity', failedTo = 'infinity' }: PostFilter): Sql {
  return sql`status = 'FAILED' and ${FAILED_AT} >= ${failedFrom} and ${FAILED_AT} < ${failedTo}`;
}

type WordIndex = { word: Sql; condition: Sql };
const CAUSE_INDEX: WordIndex = { word: CAUSE_WORD, condition: sql`status = 'FAILED'` };
const HOLD_INDEX: WordIndex = { word: sql`hold`, condition: sql`hold is not null` };

function byWords(rest: PostListFilter, index: WordIndex, words: Sql, period: Sql): FilterIndex {
  const { word } = index;
  const select = ({ columns, condition, order, limit }: Read) => {
    if (order === null) {
      return sql`
        select ${columns} from posts
        where ${index.condition} and ${word} = any(${words}) and ${period} and ${condition} ${limit}`;
    }
    const schedule = scheduleOf(order);
    const perWord = sql`
      select ${columns} from posts
      where ${index.condition} and ${word} = known.word and ${period} and ${condition}
      order by ${orderBy({ ...schedule, lead: { column: word, value: '' } })} ${limit}`;
    return sql`
      select per_word.* from unnest(${words}) as known (word) cross join lateral (${perWord}) as per_word
      order by ${orderBy(schedule)} ${limit}`;
  };
  return { select, rest, isBySchedule: true };
}

function causeWords(cause: NonNullable<PostFilter['cause']>): Sql {
  return cause === UNKNOWN_CAUSE ? UNKNOWN_WORDS : sql`${[cause]}::text[]`;
}

function ownerWords(owner: NonNullable<PostFilter['owner']>): Sql {
  const words = sql`${causesOf(owner)}::text[]`;
  return owner === 'us' ? sql`${words} || ${UNKNOWN_WORDS}` : words;
}

function holdWords(hold: NonNullable<PostFilter['hold']>): Sql {
  return hold === ANY_HOLD ? wordsOf(HOLD_INDEX, sql`true`) : sql`${[hold]}::text[]`;
}

const UNKNOWN_WORDS = wordsOf(CAUSE_INDEX, sql`word <> all(${Object.keys(CAUSES)})`);

/** Each distinct word is one lookup, instead of reading all entries of the index. */
function wordsOf({ word, condition }: WordIndex, isWanted: Sql): Sql {
  return sql`array(
    with recursive words (word) as (
      select min(${word}) from posts where ${condition}
      union all
      select (select min(${word}) from posts where ${condition} and ${word} > words.word)
      from words where words.word is not null)
    select word from words where word is not null and ${isWanted})`;
}
