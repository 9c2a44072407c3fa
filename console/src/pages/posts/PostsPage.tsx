import { postExport } from '@meridian/contract/exports';
import {
  POST_MESSAGES,
  POST_STATUS_FILTERS,
  postList,
  POSTS_PAGE_SIZE,
} from '@meridian/contract/posts';
import { Calendar } from 'lucide-react';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { useIsMeridian } from '../../auth/use-is-meridian.ts';
import { ExportMenu } from '../../components/export/ExportMenu.tsx';
import { FilterChips } from '../../components/list/FilterChips.tsx';
import { filterOf } from '../../components/list/bulk-list.ts';
import { FilterSelect } from '../../components/list/FilterSelect.tsx';
import { FilterText } from '../../components/list/FilterText.tsx';
import { MoreFilters } from '../../components/list/MoreFilters.tsx';
import { PagedList } from '../../components/list/PagedList.tsx';
import { useListParams } from '../../components/list/use-list-params.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { statusLabel } from '../../components/status-label.ts';
import { postChips } from './post-chips.tsx';
import { POST_COLUMNS, postLabel } from './post-columns.tsx';
import {
  POSTS_FILTERS,
  POSTS_PARAMS,
  postsFilter,
  postsPageAt,
  specifiedValues,
} from './posts-params.ts';

const STATUS_OPTIONS = POST_STATUS_FILTERS.map((value) => ({ value, label: statusLabel(value) }));
const loadPanel = async () => (await import('./PostFilterPanel.tsx')).PostFilterPanel;

export function PostsPage() {
  const hasFilters = useIsMeridian();
  const asked = useListParams(POSTS_PARAMS, POSTS_FILTERS);
  const values = hasFilters ? asked.values : specifiedValues(asked.values);
  const list = { ...asked, values };
  const { sort, order } = values;
  const query = useEndpointQuery(postList, postsPageAt(asked.search, hasFilters));
  return (
    <>
      <PageTitle title="Scheduled Posts" context="Published, upcoming and failed posts" />
      <PagedList
        list={list}
        query={query}
        rowsOf={({ posts }) => posts}
        pageSize={POSTS_PAGE_SIZE}
        noun="posts"
        bulk={{ of: 'posts', filter: filterOf(list.values), labelOf: postLabel }}
        filters={
          <>
            <FilterSelect
              label="Status"
              allLabel="All Statuses"
              options={STATUS_OPTIONS}
              {...list.choice('status')}
            />
            <FilterText label="User DID or handle" {...list.typed('userFilter')} />
            {hasFilters && <MoreFilters list={list} load={loadPanel} />}
          </>
        }
        chips={<FilterChips chips={postChips(values, list.set)} />}
        actions={
          <ExportMenu
            endpoint={postExport}
            noun="posts"
            query={postsFilter(values)}
            total={query.data?.total}
            isCapped={query.data?.totalIsCapped}
          />
        }
        label="Scheduled posts"
        columns={POST_COLUMNS}
        rowKey={(post) => post.id}
        failed={POST_MESSAGES.listFailed}
        emptyText="No posts found"
        emptyIcon={<Calendar aria-hidden="true" />}
        onClearFilters={
          list.isFiltered
            ? () => list.set({ ...specifiedValues(values), status: '', userFilter: '' })
            : undefined
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
