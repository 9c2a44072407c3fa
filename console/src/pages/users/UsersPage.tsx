import {
  USER_MESSAGES,
  USER_STATUS_FILTERS,
  userList,
  USERS_PAGE_SIZE,
} from '@meridian/contract/users';
import { Users } from 'lucide-react';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { FilterSelect } from '../../components/list/FilterSelect.tsx';
import { listQuery } from '../../components/list/list-params.ts';
import { PagedList } from '../../components/list/PagedList.tsx';
import { useListParams } from '../../components/list/use-list-params.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { statusLabel } from '../../components/status-label.ts';
import { USER_COLUMNS } from './user-columns.tsx';
import { USERS_PARAMS } from './users-params.ts';

const STATUS_OPTIONS = USER_STATUS_FILTERS.map((value) => ({ value, label: statusLabel(value) }));

export function UsersPage() {
  const list = useListParams(USERS_PARAMS);
  const asked = listQuery(USERS_PAGE_SIZE, list.values, list.position);
  const query = useEndpointQuery(userList, { query: asked });
  return (
    <>
      <PageTitle title="Users" context="People who have signed in to the service" />
      <PagedList
        list={list}
        query={query}
        rowsOf={({ users }) => users}
        pageSize={USERS_PAGE_SIZE}
        noun="users"
        filters={
          <FilterSelect
            label="Status"
            allLabel="All Statuses"
            options={STATUS_OPTIONS}
            value={list.values.status}
            onChange={(status) => list.set({ status })}
          />
        }
        label="Users"
        columns={USER_COLUMNS}
        rowKey={(user) => user.id}
        failed={USER_MESSAGES.listFailed}
        emptyText="No users found"
        emptyIcon={<Users aria-hidden="true" />}
        onClearFilters={list.isFiltered ? list.clear : undefined}
      />
    </>
  );
}
