import {
  POST_SORT_DEFAULT,
  POST_SORTS,
  POST_STATUS_FILTERS,
  SORT_ORDER_DEFAULT,
  SORT_ORDERS,
  USER_FILTER_MAX_LENGTH,
} from '@meridian/contract/posts';
import { oneOf, text } from '../../components/list/list-params.ts';

/** What the address of the posts list can say. */
export const POSTS_PARAMS = {
  status: oneOf(POST_STATUS_FILTERS),
  userFilter: text(USER_FILTER_MAX_LENGTH),
  sort: oneOf(POST_SORTS, POST_SORT_DEFAULT),
  order: oneOf(SORT_ORDERS, SORT_ORDER_DEFAULT),
};
