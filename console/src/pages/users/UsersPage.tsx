import {
  USER_MESSAGES,
  USER_STATUS_FILTERS,
  userList,
  USERS_PAGE_SIZE,
} from '@meridian/contract/users';
import { prefetchEndpoint, useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { DataTable } from '../../components/list/DataTable.tsx';
import { FilterBar } from '../../components/list/FilterBar.tsx';
import { FilterSelect } from '../../components/list/FilterSelect.tsx';
import { readPage, readParams } from '../../components/list/list-params.ts';
import { ListPager } from '../../components/list/ListPager.tsx';
import { useListParams } from '../../components/list/use-list-params.ts';
import { usePageClamp } from '../../components/list/use-page-clamp.ts';
import type { Prefetch } from '../../components/navigation/prefetch.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { statusLabel } from '../../components/status-label.ts';
import { Card } from '../../ui/Card.tsx';
import { USER_COLUMNS } from './user-columns.tsx';
import { USERS_PARAMS, usersQuery } from './users-query.ts';

const STATUS_OPTIONS = USER_STATUS_FILTERS.map((value) => ({ value, label: statusLabel(value) }));

export const prefetch: Prefetch = ({ search }) =>
  prefetchEndpoint(userList, usersQuery(readParams(USERS_PARAMS, search), readPage(search)));

export function UsersPage() {
  const list = useListParams(USERS_PARAMS);
  const query = useEndpointQuery(userList, usersQuery(list.values, list.page), {
    keepPrevious: true,
  });
  const { data, isPlaceholderData } = query;
  const isStale = usePageClamp({
    page: list.page,
    pageSize: USERS_PAGE_SIZE,
    total: isPlaceholderData ? undefined : data?.total,
    goToPage: list.goToPage,
  });
  return (
    <>
      <PageTitle title="Users" context="Everyone who has signed in to the service" />
      <Card as="div">
        <FilterBar>
          <FilterSelect
            label="Status"
            allLabel="All Statuses"
            options={STATUS_OPTIONS}
            value={list.values.status}
            onChange={(status) => list.set({ status })}
          />
        </FilterBar>
        <DataTable
          label="Users"
          columns={USER_COLUMNS}
          rows={isStale ? undefined : data?.users}
          rowKey={(user) => user.id}
          query={query}
          failed={USER_MESSAGES.listFailed}
          emptyText="No users found"
          onClearFilters={list.isFiltered ? list.clear : undefined}
          skeletonRows={USERS_PAGE_SIZE}
          rowHeight="3.625rem"
        />
        <ListPager
          page={list.page}
          pageSize={USERS_PAGE_SIZE}
          total={isStale ? undefined : data?.total}
          noun="users"
          searchOfPage={list.searchOfPage}
        />
      </Card>
    </>
  );
}
