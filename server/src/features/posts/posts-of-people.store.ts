import { isAfter, orderBy } from '../../counts/page-start.ts';
import { totalOf } from '../../counts/totals.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { ofStatus, orderOf, pageOf, statusesOf } from './posts-list.store.ts';
import type { PostPage, PostsPage } from './posts-list.store.ts';

type Matching = {
  /** Posts of those who match. */
  total: number;
  /** Posts of everybody. */
  all: number;
  /** Those who match; not counted beyond a thousand. */
  people: number;
};

/** So many posts are read from an index within a few milliseconds. */
const FEW_POSTS = 25_000;
/** So many people that asking each post for its author beats finding all of them first. */
const MANY_PEOPLE = 1000;

/**
 * Posts of people whose handle or DID contains the text. How many there are decides how to get at
 * them: a few are gathered and sorted; of many, the next are soon met by going through the order.
 */
export async function listPostsOfPeople(db: Db, part: string, page: PostPage): Promise<PostsPage> {
  const pattern = sql`lower(${`%${escapeLike(part)}%`})`;
  const matching = await countMatching(db, pattern, page);
  return pageOf(db, page, {
    axis: null,
    total: sql`${matching.total}::bigint`,
    ...waysTo(pattern, matching, page),
  });
}

async function countMatching(db: Db, pattern: Sql, page: PostPage): Promise<Matching> {
  const statuses = statusesOf(page);
  return db.one<Matching>(sql`
    select coalesce(sum(n) filter (where status = any(${statuses})), 0)::bigint as total,
           coalesce(max(people), 0) as people,
           ${totalOf('posts.id', statuses)} as "all"
    from count_posts_of_matching(${pattern})`);
}

/**
 * Ways to the same posts. What looks redundant in them (`offset 0`, `is true`, a sub-select for a
 * join) keeps the planner to the way that was chosen by numbers that it does not have.
 */
function waysTo(pattern: Sql, { total, all, people }: Matching, page: PostPage) {
  const { after, offset } = page.place;
  const needed = (after === null ? offset : 0) + page.limit;
  const passedOver = (needed * all) / Math.max(total, 1);
  const matching = sql`select id from users where search_text like ${pattern}`;
  const status = ofStatus(page.status);
  if (people >= MANY_PEOPLE && passedOver <= FEW_POSTS) {
    const isOfOne = sql`(select u.search_text like ${pattern} from users u where u.id = user_id)`;
    return { condition: sql`${isOfOne} and ${status}` };
  }
  const hasIndex = page.sort === 'scheduled_at' && page.status === undefined;
  if (hasIndex && people < MANY_PEOPLE && people * needed <= total) {
    return { found: firstOfEach(matching, needed, page), condition: status };
  }
  if (total <= Math.max(FEW_POSTS, passedOver))
    return { found: allOf(matching), condition: status };
  return { condition: sql`(user_id in (${matching})) is true and ${status}` };
}

/** A page holds at most so many of one person, the first ones, whoever the others are of. */
function firstOfEach(matching: Sql, needed: number, page: PostPage): Sql {
  const { after } = page.place;
  const order = orderOf(page, null);
  return sql`(
    select posts_of_one.* from (${matching}) as matching
    cross join lateral (
      select id, status, scheduled_at, created_at from posts
      where user_id = matching.id and ${after === null ? sql`true` : isAfter(order, after)}
      order by ${orderBy(order)} limit ${needed}) as posts_of_one) as gathered`;
}

function allOf(matching: Sql): Sql {
  return sql`(
    select id, status, scheduled_at, created_at from posts
    where user_id = any(array(${matching})) offset 0) as gathered`;
}

/** The three characters that mean something in a pattern, as themselves. */
function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
