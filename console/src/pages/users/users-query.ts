import { USER_STATUS_FILTERS, USERS_PAGE_SIZE } from '@meridian/contract/users';
import { oneOf, type ParamValues } from '../../components/list/list-params.ts';

/** What the address of the users list can say. */
export const USERS_PARAMS = { status: oneOf(USER_STATUS_FILTERS) };

/** What is asked of the server for it. */
export function usersQuery({ status }: ParamValues<typeof USERS_PARAMS>, page: number) {
  return {
    query: {
      limit: USERS_PAGE_SIZE,
      offset: (page - 1) * USERS_PAGE_SIZE,
      status: status || undefined,
    },
  };
}
