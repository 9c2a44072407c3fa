import { isAfter, isOfStatus, orderBy } from '../../counts/page-start.ts';
import { totalOf } from '../../counts/totals.ts';
import type { Db } from '../../db/database.ts';
import { escapeLike } from '../../db/escape-like.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { indexedPart } from './indexed-part.ts';
import { ofStatus, orderOf, pageOf, plainOrderOf, statusesOf } from './posts-list.store.ts';
import type { PostPage, PostsPage, Selection } from './posts-list.store.ts';

type Matching = {
  /** Posts of those who match. */
  total: number;
  /** Posts of everybody. */
  all: number;
  /** Those who match; not counted beyond a thousand. */
  people: number;
  /** Who they are, unless there are so many: an array as the database writes it, not taken apart. */
  ids: string | null;
};

const PEOPLE = sql`select id from people`;

/** Where the posts are found, and which of what is there they are. */
type Way = Omit<Selection, 'total'>;

/** So many posts are read from an index within a few milliseconds. */
const FEW_POSTS = 25_000;
/** Posts passed over in the time that it takes to look up the first posts of one person. */
const PASSED_PER_PERSON = 20;
/** How much further than expected the next posts are looked for before giving up. */
const PATIENCE = 3;

/**
 * Posts of people whose handle or DID contains the text. How many there are decides how to get at
 * them: a few are gathered and sorted; of many, the next are soon met by going through the order.
 */
export async function listPostsOfPeople(db: Db, part: string, page: PostPage): Promise<PostsPage> {
  const pattern = patternOf(part);
  const matching = await findMatching(db, pattern, patternOf(indexedPart(part)), page);
  return pageOf(db, page, {
    total: sql`${matching.total}::bigint`,
    ...(matching.ids === null
      ? waysToMany(pattern, matching, page)
      : waysToFew(matching.ids, matching, page)),
  });
}

async function findMatching(db: Db, pattern: Sql, part: Sql, page: PostPage): Promise<Matching> {
  const statuses = statusesOf(page);
  return db.one<Matching>(sql`
    select total, people, ids::text, ${totalOf('posts.id', statuses)} as "all"
    from search_people(${pattern}, ${part}, ${statuses})`);
}

/** How many are needed from the start of the list, and among how many those are expected to stand. */
function reachOf({ total, all }: Matching, { place, limit }: PostPage) {
  const needed = (place.after === null ? place.offset : 0) + limit;
  return { needed, passedOver: Math.ceil((needed * all) / Math.max(total, 1)) };
}

/**
 * Ways to the same posts. What looks redundant in them (`offset 0`, `is true`, a sub-select for a
 * join) keeps the planner to the way that was chosen by numbers that it does not have.
 */
function waysToMany(pattern: Sql, matching: Matching, page: PostPage): Way {
  const { passedOver } = reachOf(matching, page);
  const list = orderOf(page, null);
  const status = isOfStatus(list);
  if (passedOver <= FEW_POSTS) {
    const isOfOne = sql`(select u.search_text like ${pattern} from users u where u.id = user_id)`;
    return { list, condition: sql`${isOfOne} and ${status}` };
  }
  const people = sql`select id from users where search_text like ${pattern}`;
  if (matching.total <= passedOver) return gathered(allOf(people, page), page);
  return { list, condition: sql`(user_id in (${people})) is true and ${status}` };
}

function waysToFew(ids: string, matching: Matching, page: PostPage): Way {
  const { total, people } = matching;
  const { needed, passedOver } = reachOf(matching, page);
  const withPeople = sql`with people as materialized (select unnest(${ids}::uuid[]) as id)`;
  const hasIndex = page.sort === 'scheduled_at' && page.status === undefined;
  const posts =
    hasIndex && people * needed <= total ? firstOfEach(needed, page) : allOf(PEOPLE, page);
  if (passedOver <= people * PASSED_PER_PERSON) {
    const next = nextOf({ needed, most: passedOver * PATIENCE }, page);
    return gathered(
      sql`${withPeople}, next as materialized (${next})
      select * from next where (select count(*) from next) = ${needed}
      union all
      select * from (${posts}) as posts where (select count(*) from next) < ${needed}`,
      page,
    );
  }
  if (total <= Math.max(FEW_POSTS, passedOver)) {
    return gathered(sql`${withPeople} ${posts}`, page);
  }
  const isOfOne = sql`(user_id in (select unnest(${ids}::uuid[]))) is true`;
  const list = orderOf(page, null);
  return { list, condition: sql`${isOfOne} and ${isOfStatus(list)}` };
}

function gathered(posts: Sql, page: PostPage): Way {
  const list = plainOrderOf(page);
  return { list, found: sql`(${posts}) as gathered`, condition: sql`true` };
}

/** A page holds at most so many of one person, the first ones, whoever the others are of. */
function firstOfEach(needed: number, page: PostPage): Sql {
  const order = orderOf(page, null);
  return sql`
    select posts_of_one.* from people
    cross join lateral (
      select id, ${order.column} from posts
      where user_id = people.id and ${isWithin(page)}
      order by ${orderBy(order)} limit ${needed}) as posts_of_one`;
}

function allOf(people: Sql, page: PostPage): Sql {
  return sql`
    select id, ${plainOrderOf(page).column} from posts
    where user_id = any(array(${people})) and ${ofStatus(page)} offset 0`;
}

/** Theirs among the next posts of all; fewer than needed when these people wrote at other times. */
function nextOf(reach: { needed: number; most: number }, page: PostPage): Sql {
  const order = orderOf(page, null);
  return sql`
    select id, ${order.column} from (
      select id, user_id, ${order.column} from posts where ${isWithin(page)}
      order by ${orderBy(order)} limit ${reach.most}) as all_next
    where (user_id in (${PEOPLE})) is true
    order by ${orderBy(plainOrderOf(page))} limit ${reach.needed}`;
}

function isWithin(page: PostPage): Sql {
  const { after } = page.place;
  const list = orderOf(page, null);
  const isNext = after === null ? sql`true` : isAfter(list, after);
  return sql`${isOfStatus(list)} and ${isNext}`;
}

function patternOf(text: string): Sql {
  return sql`lower(${`%${escapeLike(text)}%`})`;
}
