import {
  POST_MESSAGES,
  POST_STATUS_FILTERS,
  postList,
  POSTS_PAGE_SIZE,
  USER_FILTER_MAX_LENGTH,
} from '@meridian/contract/posts';
import { prefetchEndpoint, useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { DataTable } from '../../components/list/DataTable.tsx';
import { FilterBar } from '../../components/list/FilterBar.tsx';
import { FilterSelect } from '../../components/list/FilterSelect.tsx';
import { FilterText } from '../../components/list/FilterText.tsx';
import { readPage, readParams } from '../../components/list/list-params.ts';
import { ListPager } from '../../components/list/ListPager.tsx';
import { useListParams } from '../../components/list/use-list-params.ts';
import { usePageClamp } from '../../components/list/use-page-clamp.ts';
import type { Prefetch } from '../../components/navigation/prefetch.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { statusLabel } from '../../components/status-label.ts';
import { Card } from '../../ui/Card.tsx';
import { POST_COLUMNS } from './post-columns.tsx';
import { POSTS_PARAMS, postsQuery } from './posts-query.ts';

const STATUS_OPTIONS = POST_STATUS_FILTERS.map((value) => ({ value, label: statusLabel(value) }));

export const prefetch: Prefetch = ({ search }) =>
  prefetchEndpoint(postList, postsQuery(readParams(POSTS_PARAMS, search), readPage(search)));

export function PostsPage() {
  const list = useListParams(POSTS_PARAMS, ['status', 'userFilter']);
  const query = useEndpointQuery(postList, postsQuery(list.values, list.page), {
    keepPrevious: true,
  });
  const { data, isPlaceholderData } = query;
  const isStale = usePageClamp({
    page: list.page,
    pageSize: POSTS_PAGE_SIZE,
    total: isPlaceholderData ? undefined : data?.total,
    goToPage: list.goToPage,
  });
  return (
    <>
      <PageTitle
        title="Scheduled Posts"
        context="Everything the service has published, will publish or could not"
      />
      <Card as="div">
        <FilterBar>
          <FilterSelect
            label="Status"
            allLabel="All Statuses"
            options={STATUS_OPTIONS}
            value={list.values.status}
            onChange={(status) => list.set({ status })}
          />
          <FilterText
            label="User"
            placeholder="Filter by DID or handle"
            maxLength={USER_FILTER_MAX_LENGTH}
            value={list.values.userFilter}
            onChange={(userFilter) => list.set({ userFilter })}
          />
        </FilterBar>
        <DataTable
          label="Scheduled posts"
          columns={POST_COLUMNS}
          rows={isStale ? undefined : data?.posts}
          rowKey={(post) => post.id}
          query={query}
          failed={POST_MESSAGES.listFailed}
          emptyText="No posts found"
          onClearFilters={
            list.isFiltered ? () => list.set({ status: '', userFilter: '' }) : undefined
          }
          skeletonRows={POSTS_PAGE_SIZE}
          rowHeight="3.625rem"
          sort={{
            column: list.values.sort,
            order: list.values.order,
            onSort: (sort, order) => list.set({ sort, order }),
          }}
        />
        <ListPager
          page={list.page}
          pageSize={POSTS_PAGE_SIZE}
          total={isStale ? undefined : data?.total}
          noun="posts"
          searchOfPage={list.searchOfPage}
        />
      </Card>
    </>
  );
}
