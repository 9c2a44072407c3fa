import { FILTERED_TOTAL_MAX } from '@meridian/contract/post-filter';
import type { Db } from '../../db/database.ts';
import { escapeLike } from '../../db/escape-like.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { indexedColumns, orderBy } from '../../lists/keyset.ts';
import { pageStart } from '../../lists/read-page.ts';
import { indexedPart } from '../users/users.store.ts';
import { allPosts, isOfStatus, keysetOf, postsPage, statusesOf } from './posts.store.ts';
import type { PostListRequest, PostSelection, PostsPage } from './posts.store.ts';

/** The people found, and how many posts they have. */
type People = Pick<PostsPage, 'total' | 'totalIsCapped'> & {
  pattern: Sql;
  /** As PostgreSQL writes an array: reading a thousand ids takes longer than finding them. */
  ids: string | null;
  isFew: boolean;
};

/** Beyond this their ids are not carried from one statement to the next. */
const MANY_PEOPLE = 1_000;
/** Up to here it is quicker to read the first posts of each person. */
const FEW_PEOPLE = 300;
/** Index entries that are read in vain before the posts are gathered person by person after all. */
const PATIENCE = 20_000;

/**
 * Posts of the people whose handle or DID contains the text. How many people there are decides how to
 * find the page: of few, among the first posts of each; of more, among the next posts of all.
 */
export async function listPostsOfPeople(
  db: Db,
  text: string,
  request: PostListRequest,
): Promise<PostsPage> {
  const people = await findPeople(db, text, request);
  if (people.total === 0) {
    return { rows: [], total: 0, cursors: { next: null, previous: null } };
  }
  const pageOf = async (selection: PostSelection) => ({
    ...(await postsPage(db, selection, request)),
    ...(people.totalIsCapped && { totalIsCapped: true as const }),
  });
  if (!people.isFew) {
    const page = await pageOf(amongTheNext(people, request));
    const { isBackwards } = pageStart(keysetOf(request), request);
    // Without one row more than the page holds, there may be others past those that were read.
    const further = isBackwards ? page.cursors.previous : page.cursors.next;
    if (further !== null || people.total <= page.rows.length) return page;
  }
  return pageOf(personByPerson(people, request));
}

export async function findPeople(
  db: Db,
  text: string,
  request: Pick<PostListRequest, 'status'>,
): Promise<People> {
  const pattern = patternOf(text);
  const part = patternOf(indexedPart(text));
  const found = await db.one<{ ids: string; people: number; total: number }>(sql`
    select ids::text as ids, cardinality(ids) as people, case when cardinality(ids) <= ${MANY_PEOPLE} then
      ${changesOf(pattern, request)} + coalesce((
        select sum((select posts_in(${statusesOf(request)}, c) from user_post_counters c where c.user_id = person.id))
        from unnest(ids) as person (id)), 0) end as total
    from (select find_people(${pattern}, ${part}, ${MANY_PEOPLE + 1}) as ids offset 0) as found`);
  if (found.people <= MANY_PEOPLE) {
    const { ids, people, total } = found;
    return { pattern, ids, isFew: people <= FEW_PEOPLE, total };
  }
  const { total } = await db.one<{ total: number }>(sql`
    select changes + posts_of_people(${pattern}, ${statusesOf(request)}, ${FILTERED_TOTAL_MAX} - changes) as total
    from (select ${changesOf(pattern, request)}::bigint as changes offset 0) as pending`);
  const many = { pattern, ids: null, isFew: false };
  return total > FILTERED_TOTAL_MAX
    ? { ...many, total: FILTERED_TOTAL_MAX, totalIsCapped: true }
    : { ...many, total };
}

/** Changes that the counters do not have yet. A lookup per delta: joined, all could be compared with all people. */
function changesOf(pattern: Sql, request: Pick<PostListRequest, 'status'>): Sql {
  return sql`coalesce((
    select sum(d.n) from pending_counters d
    where d.status = any(${statusesOf(request)})
      and (select u.search_text like ${pattern} from users u where u.id = d.user_id)), 0)`;
}

function patternOf(text: string): Sql {
  return sql`lower(${`%${escapeLike(text)}%`})`;
}

function amongTheNext(people: People, request: PostListRequest): PostSelection {
  const { keyset, condition } = allPosts(request);
  const start = pageStart(keyset, request);
  return {
    keyset,
    total: sql`${people.total}::bigint`,
    source: sql`(
      select ${sql.join(indexedColumns(keyset))}, user_id from posts
      where ${condition} and ${start.condition}
      order by ${orderBy(start.walked)} limit ${PATIENCE + start.skipped}) as next_posts`,
    // As a join it would lose the order of the posts, and read all of them before it sorts.
    condition:
      people.ids === null
        ? sql`(select u.search_text like ${people.pattern} from users u where u.id = user_id)`
        : sql`(user_id in (select unnest(${people.ids}::uuid[]))) is true`,
  };
}

/** A page holds at most so many posts of one person, the first ones. */
function personByPerson(people: People, request: PostListRequest): PostSelection {
  const keyset = keysetOf(request);
  const start = pageStart(keyset, request);
  return {
    keyset,
    total: sql`${people.total}::bigint`,
    source: sql`(
      select first_posts.* from ${selectIds(people)} as person (id) cross join lateral (
        select ${sql.join(indexedColumns(keyset))} from posts
        where user_id = person.id and ${isOfStatus(request)} and ${start.condition}
        order by ${orderBy(start.walked)}
        limit ${start.skipped + request.limit + 1}) as first_posts) as gathered`,
    condition: sql`true`,
  };
}

function selectIds({ ids, pattern }: People): Sql {
  return ids === null
    ? sql`(select id from users where search_text like ${pattern})`
    : sql`unnest(${ids}::uuid[])`;
}
