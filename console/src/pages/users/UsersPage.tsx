import { userExport } from '@meridian/contract/exports';
import {
  USER_MESSAGES,
  USER_STATUS_FILTERS,
  type UserStatus,
  userList,
  USERS_PAGE_SIZE,
} from '@meridian/contract/users';
import { Users } from 'lucide-react';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { useIsMeridian } from '../../auth/use-is-meridian.ts';
import { ExportMenu } from '../../components/export/ExportMenu.tsx';
import { FilterChips } from '../../components/list/FilterChips.tsx';
import { filterOf } from '../../components/list/bulk-list.ts';
import { FilterSelect } from '../../components/list/FilterSelect.tsx';
import { FilterText } from '../../components/list/FilterText.tsx';
import { PagedList } from '../../components/list/PagedList.tsx';
import { useListParams } from '../../components/list/use-list-params.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { statusLabel } from '../../components/status-label.ts';
import { nameOf } from '../../components/user-name.ts';
import { USER_COLUMNS } from './user-columns.tsx';
import { specifiedValues, USERS_PARAMS, usersPageAt } from './users-params.ts';

const STATUS_OPTIONS = USER_STATUS_FILTERS.map((value) => ({ value, label: statusLabel(value) }));
const isOffered = (status: string) => STATUS_OPTIONS.some(({ value }) => value === status);

export function UsersPage() {
  const hasSearch = useIsMeridian();
  const asked = useListParams(USERS_PARAMS);
  const values = hasSearch ? asked.values : specifiedValues(asked.values);
  const list = { ...asked, values };
  const { status, search } = values;
  const query = useEndpointQuery(userList, usersPageAt(asked.search, hasSearch));
  const chips =
    status === '' || isOffered(status)
      ? []
      : [
          {
            name: 'status',
            label: `Status: ${statusLabel(status)}`,
            onRemove: () => list.set({ status: '' }),
          },
        ];
  return (
    <>
      <PageTitle title="Users" context="People who have signed in to the service" />
      <PagedList
        list={list}
        query={query}
        rowsOf={({ users }) => users}
        pageSize={USERS_PAGE_SIZE}
        noun="users"
        bulk={{ of: 'users', filter: filterOf(list.values), labelOf: nameOf }}
        filters={
          <>
            <FilterSelect<UserStatus>
              label="Status"
              allLabel="All Statuses"
              options={STATUS_OPTIONS}
              value={status}
              onChange={(next) => list.set({ status: next })}
            />
            {hasSearch && <FilterText label="Handle, DID or name" {...list.typed('search')} />}
          </>
        }
        chips={<FilterChips chips={chips} />}
        actions={
          <ExportMenu
            endpoint={userExport}
            noun="users"
            query={{ status: status || undefined, search }}
            total={query.data?.total}
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
