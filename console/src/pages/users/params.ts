import { RECENT_POSTS_SIZE } from '@meridian/contract/posts';
import { USER_SEARCH_MAX_LENGTH, USER_STATUSES, USERS_PAGE_SIZE } from '@meridian/contract/users';
import {
  listQuery,
  oneOf,
  type ParamValues,
  readParams,
  readPosition,
  text,
} from '@meridian/ui/list/params.ts';

/** What the address of the users list can say. */
export const USERS_PARAMS = {
  status: oneOf(USER_STATUSES),
  // Beyond the specification: for Meridian alone.
  search: text(USER_SEARCH_MAX_LENGTH),
};
export type UsersValues = ParamValues<typeof USERS_PARAMS>;

/** What a server without the search understands of it. */
export function specifiedValues({ status }: UsersValues): UsersValues {
  return { status, search: '' };
}

/** Whether the address asks for what only some servers take. */
export function hasFurtherFilters(address: URLSearchParams): boolean {
  return readParams(USERS_PARAMS, address).search !== '';
}

/** The page that the list shows at this address. */
export function usersPageAt(search: URLSearchParams, hasSearch: boolean) {
  const values = readParams(USERS_PARAMS, search);
  const known = hasSearch ? values : specifiedValues(values);
  return { query: listQuery(USERS_PAGE_SIZE, known, readPosition(search)) };
}

export const RECENT_POSTS = { limit: RECENT_POSTS_SIZE };
