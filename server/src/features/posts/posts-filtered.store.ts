import { FILTERED_TOTAL_MAX, SORTED_TOTAL_MAX } from '@meridian/contract/post-filter';
import type { PostListFilter, PostSort, SortOrder } from '@meridian/contract/posts';
import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { indexedColumns } from '../../lists/keyset.ts';
import { pageStart } from '../../lists/read-page.ts';
import { postFilterCondition } from './post-filter.ts';
import { findIndex } from './post-indexes.ts';
import type { FilterIndex } from './post-indexes.ts';
import { keysetOf, postsPage } from './posts-list.store.ts';
import type { PostListRequest, PostSelection, PostsPage } from './posts-list.store.ts';

/** One more than is counted says that there are more. */
const atMost = (max: number) => sql`limit ${sql.whole(max + 1)}`;

/**
 * Posts are found by the index of one filter. A list in the order of that index reads the posts of its
 * page, and counts up to 1,000 entries. For another order all are read and sorted, and counted; or the
 * first 10,000 of the index, if there are more.
 */
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

/** Sort keys and ids of all posts that the filter names. */
export async function selectFound(
  db: Db,
  filter: PostListFilter,
  request: Pick<PostListRequest, 'sort' | 'order' | 'status'>,
): Promise<Sql> {
  return select(await findIndex(db, filter, request), { ...request, limit: sql.empty });
}

/** Which of the posts found are read. Without an order they are only counted. */
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
