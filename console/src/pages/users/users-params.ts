import { USER_STATUS_FILTERS } from '@meridian/contract/users';
import { oneOf } from '../../components/list/list-params.ts';

/** What the address of the users list can say. */
export const USERS_PARAMS = { status: oneOf(USER_STATUS_FILTERS) };
