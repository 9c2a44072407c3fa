import type { ListedPost, PostSort, PostStatus, SortOrder } from '@meridian/contract/posts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

export type PostFilter = {
  status?: PostStatus | undefined;
  /** Part of a handle or DID. */
  userPart?: string | undefined;
  userId?: string | undefined;
};

export type PostPage = PostFilter & {
  sort: PostSort;
  order: SortOrder;
  limit: number;
  offset: number;
};

/** What a list shows of a post `p` and its author `u`. */
export const LISTED_COLUMNS = sql`
  p.id, p.user_id, p.content, p.status, p.scheduled_at, p.created_at, p.updated_at,
  p.executed_at, p.at_uri, p.at_rkey, p.error_msg,
  json_build_object('id', u.id, 'did', u.did, 'handle', u.handle,
                    'display_name', u.display_name, 'avatar', u.avatar) as "user"`;

// Ties break by id in the same direction, so that each order is an index read one way or the other.
const ORDERS: Record<PostSort, Record<SortOrder, Sql>> = {
  status: {
    asc: sql`p.status asc, p.id asc`,
    desc: sql`p.status desc, p.id desc`,
  },
  scheduled_at: {
    asc: sql`p.scheduled_at asc, p.id asc`,
    desc: sql`p.scheduled_at desc, p.id desc`,
  },
  created_at: {
    asc: sql`p.created_at asc, p.id asc`,
    desc: sql`p.created_at desc, p.id desc`,
  },
};

/** The ids of the page come from the index alone; rows and authors are fetched for those only. */
export async function listPosts(db: Db, page: PostPage): Promise<ListedPost[]> {
  const order = ORDERS[page.sort][page.order];
  return db.many<ListedPost>(sql`
    select ${LISTED_COLUMNS}
    from (select p.id from posts p ${where(page)}
          order by ${order} limit ${page.limit} offset ${page.offset}) page
    join posts p on p.id = page.id
    join users u on u.id = p.user_id
    order by ${order}`);
}

export async function countPosts(db: Db, filter: PostFilter): Promise<number> {
  const row = await db.one<{ total: number }>(sql`
    select count(*) as total from posts p ${where(filter)}`);
  return row.total;
}

function where({ status, userPart, userId }: PostFilter): Sql {
  const conditions: Sql[] = [];
  if (status !== undefined) conditions.push(sql`p.status = ${status}`);
  if (userId !== undefined) conditions.push(sql`p.user_id = ${userId}`);
  if (userPart !== undefined) {
    const pattern = `%${escapeLike(userPart)}%`;
    conditions.push(sql`p.user_id in (
      select id from users
      where lower(handle) like lower(${pattern}) or lower(did) like lower(${pattern}))`);
  }
  return conditions.length === 0 ? sql.empty : sql`where ${sql.join(conditions, sql` and `)}`;
}

/** The three characters that mean something in a pattern, as themselves. */
function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
