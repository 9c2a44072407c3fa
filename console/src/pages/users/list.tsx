import { Users } from 'lucide-react';
import { userExport } from '@meridian/contract/exports';
import {
  type User,
  USER_MESSAGES,
  USER_STATUS_FILTERS,
  userList,
  USERS_PAGE_SIZE,
} from '@meridian/contract/users';
import { Mono } from '@meridian/ui/Mono.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { breakAtDots, SafeText } from '@meridian/ui/SafeText.tsx';
import { DATE_TIME_WIDTH, Time } from '@meridian/ui/Time.tsx';
import { type LoaderArgs, prefetch, useEndpointQuery } from '@meridian/ui/api/query.ts';
import { expectMeridian, useIsMeridian } from '@meridian/ui/api/session.ts';
import { NOTHING } from '@meridian/ui/format.ts';
import { AppLink } from '@meridian/ui/links.tsx';
import type { Column } from '@meridian/ui/list/DataTable.tsx';
import { PagedList } from '@meridian/ui/list/PagedList.tsx';
import { FilterChips, FilterSelect, FilterText } from '@meridian/ui/list/filters.tsx';
import { readParams, useListParams } from '@meridian/ui/list/params.ts';
import { filterOf } from '@meridian/ui/list/selection.ts';
import { SelectionBar } from '../../components/SelectionBar.tsx';
import { ExportMenu } from '../../components/ExportMenu.tsx';
import { StatusBadge, statusLabel } from '../../components/badges.tsx';
import { displayNameOf, nameOf, UserCell } from '../../components/users.tsx';
import { paths } from '../../paths.ts';
import { USERS_PARAMS, usersPageAt } from './params.ts';

/** An address with a search is read by the page, once it is known who the server is. */
export function loader({ search }: LoaderArgs): void {
  const isMeridian = expectMeridian();
  if (isMeridian === undefined && readParams(USERS_PARAMS, search).search !== '') return;
  prefetch(userList, usersPageAt(search, isMeridian === true));
}

export function Component() {
  const hasSearch = useIsMeridian();
  const asked = useListParams(USERS_PARAMS);
  const values = hasSearch ? asked.values : { ...asked.values, search: '' };
  const list = { ...asked, values };
  const { status, search } = values;
  const query = useEndpointQuery(userList, usersPageAt(asked.search, hasSearch));
  const isOffered = STATUS_OPTIONS.some(({ value }) => value === status);
  const chip = {
    name: 'status',
    label: `Status: ${statusLabel(status)}`,
    onRemove: () => list.set({ status: '' }),
  };
  return (
    <>
      <PageTitle title="Users" context="People who have signed in to the service" />
      <PagedList
        list={list}
        query={query}
        rowsOf={({ users }) => users}
        pageSize={USERS_PAGE_SIZE}
        noun="users"
        bulk={{
          labelOf: nameOf,
          renderBar: (props) => (
            <SelectionBar of="users" filter={filterOf(list.values)} {...props} />
          ),
        }}
        filters={
          <>
            <FilterSelect
              label="Status"
              allLabel="All Statuses"
              options={STATUS_OPTIONS}
              {...list.choice('status')}
            />
            {hasSearch && <FilterText label="Handle, DID or name" {...list.typed('search')} />}
          </>
        }
        chips={<FilterChips chips={status === '' || isOffered ? [] : [chip]} />}
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

const STATUS_OPTIONS = USER_STATUS_FILTERS.map((value) => ({ value, label: statusLabel(value) }));

const USER_COLUMNS: readonly Column<User>[] = [
  {
    header: 'User',
    unlabelled: true,
    wide: true,
    skeleton: '70%',
    cell: (user) => (
      <UserCell
        avatar={user.avatar}
        initialOf={nameOf(user)}
        name={displayNameOf(user) ?? '-'}
        detail={<Did user={user} />}
      />
    ),
  },
  {
    header: 'Handle',
    skeleton: '80%',
    width: '26cqi',
    cell: (user) => (
      <SafeText draw={breakAtDots} className="wrap-break-word">
        {user.handle || NOTHING}
      </SafeText>
    ),
  },
  {
    header: 'Status',
    corner: true,
    skeleton: '5rem',
    width: '7.5rem',
    cell: (user) => (user.status === '' ? NOTHING : <StatusBadge status={user.status} />),
  },
  {
    header: 'Created At',
    skeleton: '8rem',
    width: `calc(${DATE_TIME_WIDTH} + 1.25rem)`,
    cell: (user) => <Time value={user.created_at} className="text-muted" />,
  },
  {
    header: 'Details',
    headerHidden: true,
    unlabelled: true,
    align: 'end',
    skeleton: '5rem',
    width: '7.5rem',
    cell: (user) => (
      <AppLink
        data-row-link=""
        to={paths.user(user.id)}
        className="-my-2.5 inline-block rounded-sm py-2.5 font-medium whitespace-nowrap text-accent-text hover:underline"
        aria-label={`View Details of ${user.handle || nameOf(user)}`}
      >
        View Details
      </AppLink>
    ),
  },
];

/** The edge of the cell may cut the DID, but never its copy button. */
function Did({ user }: { user: User }) {
  const { did, handle } = user;
  if (did === '') return NOTHING;
  const label = `Copy decentralised id of ${handle || nameOf(user)}`;
  return <Mono value={did} short={did.length} copyLabel={label} />;
}
