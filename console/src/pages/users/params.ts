import { USER_SEARCH_MAX_LENGTH, USER_STATUSES, USERS_PAGE_SIZE } from '@meridian/contract/users';
import { listQuery, oneOf, readParams, readPosition, text } from '@meridian/ui/list/params.ts';

/** The parameters in the address of the users list. Meridian alone has the search. */
export const USERS_PARAMS = {
  status: oneOf(USER_STATUSES),
  search: text(USER_SEARCH_MAX_LENGTH),
};

/** The query of the page that the list shows at this address. */
export function usersPageAt(address: URLSearchParams, hasSearch: boolean) {
  const { status, search } = readParams(USERS_PARAMS, address);
  const values = { status, search: hasSearch ? search : '' };
  return { query: listQuery(USERS_PAGE_SIZE, values, readPosition(address)) };
}
