import {
  USER_SEARCH_MAX_LENGTH,
  USER_STATUS_FILTERS,
  USER_STATUSES,
  USERS_PAGE_SIZE,
  type UserStatus,
} from '@meridian/contract/users';
import {
  listQuery,
  oneOf,
  type ParamValues,
  readParams,
  readPosition,
  text,
} from '../../components/list/list-params.ts';

/** What the address of the users list can say. */
export const USERS_PARAMS = {
  status: oneOf(USER_STATUSES),
  // Beyond the specification: for a server that announces it.
  search: text(USER_SEARCH_MAX_LENGTH),
};
export type UsersValues = ParamValues<typeof USERS_PARAMS>;

type OfferedStatus = (typeof USER_STATUS_FILTERS)[number];

/** Empty for a status that the filter does not offer. */
export function offeredStatus(status: UserStatus | ''): OfferedStatus | '' {
  return USER_STATUS_FILTERS.find((offered) => offered === status) ?? '';
}

/** What a server without the search understands of it. */
export function specifiedValues({ status }: UsersValues): UsersValues {
  return { status: offeredStatus(status), search: '' };
}

/** Whether the address asks for what only some servers take. */
export function hasFurtherFilters(address: URLSearchParams): boolean {
  const { status, search } = readParams(USERS_PARAMS, address);
  return search !== '' || status !== offeredStatus(status);
}

/** The page that the list shows at this address. */
export function usersPageAt(search: URLSearchParams, hasSearch: boolean) {
  const values = readParams(USERS_PARAMS, search);
  const known = hasSearch ? values : specifiedValues(values);
  return { query: listQuery(USERS_PAGE_SIZE, known, readPosition(search)) };
}
