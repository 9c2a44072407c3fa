import {
  POST_MESSAGES,
  POST_STATUS_FILTERS,
  postList,
  POSTS_PAGE_SIZE,
  USER_FILTER_MAX_LENGTH,
} from '@meridian/contract/posts';
import { Calendar } from 'lucide-react';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { FilterSelect } from '../../components/list/FilterSelect.tsx';
import { FilterText } from '../../components/list/FilterText.tsx';
import { listQuery } from '../../components/list/list-params.ts';
import { PagedList } from '../../components/list/PagedList.tsx';
import { useListParams } from '../../components/list/use-list-params.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { statusLabel } from '../../components/status-label.ts';
import { POST_COLUMNS } from './post-columns.tsx';
import { POSTS_PARAMS } from './posts-params.ts';

const STATUS_OPTIONS = POST_STATUS_FILTERS.map((value) => ({ value, label: statusLabel(value) }));

export function PostsPage() {
  const list = useListParams(POSTS_PARAMS, ['status', 'userFilter']);
  const { status, userFilter, sort, order } = list.values;
  const asked = listQuery(POSTS_PAGE_SIZE, list.values, list.position);
  const query = useEndpointQuery(postList, { query: asked });
  return (
    <>
      <PageTitle title="Scheduled Posts" context="Published, upcoming and failed posts" />
      <PagedList
        list={list}
        query={query}
        rowsOf={({ posts }) => posts}
        pageSize={POSTS_PAGE_SIZE}
        noun="posts"
        filters={
          <>
            <FilterSelect
              label="Status"
              allLabel="All Statuses"
              options={STATUS_OPTIONS}
              value={status}
              onChange={(next) => list.set({ status: next })}
            />
            <FilterText
              label="User"
              placeholder="Filter by DID or handle"
              maxLength={USER_FILTER_MAX_LENGTH}
              value={userFilter}
              onChange={(next) => list.setTyped({ userFilter: next })}
            />
          </>
        }
        label="Scheduled posts"
        columns={POST_COLUMNS}
        rowKey={(post) => post.id}
        failed={POST_MESSAGES.listFailed}
        emptyText="No posts found"
        emptyIcon={<Calendar aria-hidden="true" />}
        onClearFilters={
          list.isFiltered ? () => list.set({ status: '', userFilter: '' }) : undefined
        }
        sort={{
          column: sort,
          order,
          onSort: (column, direction) => list.set({ sort: column, order: direction }),
        }}
      />
    </>
  );
}
