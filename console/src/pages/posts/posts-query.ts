import {
  POST_SORT_DEFAULT,
  POST_SORTS,
  POST_STATUS_FILTERS,
  POSTS_PAGE_SIZE,
  SORT_ORDER_DEFAULT,
  SORT_ORDERS,
  USER_FILTER_MAX_LENGTH,
} from '@meridian/contract/posts';
import { oneOf, type ParamValues, text } from '../../components/list/list-params.ts';

/** What the address of the posts list can say. */
export const POSTS_PARAMS = {
  status: oneOf(POST_STATUS_FILTERS),
  userFilter: text(USER_FILTER_MAX_LENGTH),
  sort: oneOf(POST_SORTS, POST_SORT_DEFAULT),
  order: oneOf(SORT_ORDERS, SORT_ORDER_DEFAULT),
};

/** What is asked of the server for it. */
export function postsQuery(values: ParamValues<typeof POSTS_PARAMS>, page: number) {
  return {
    query: {
      limit: POSTS_PAGE_SIZE,
      offset: (page - 1) * POSTS_PAGE_SIZE,
      status: values.status || undefined,
      userFilter: values.userFilter || undefined,
      sort: values.sort,
      order: values.order,
    },
  };
}
