import { CAUSE_OWNERS } from '@meridian/contract/cause-words';
import {
  CAUSE_FILTERS,
  FAILURE_TEXT_LENGTH,
  HOLD_FILTERS,
  POSTS_PAGE_SIZE,
  POST_FILTER_NAMES,
  POST_SORTS,
  POST_SORT_DEFAULT,
  POST_STATUS_FILTERS,
  POST_TEXT_MAX_LENGTH,
  SORT_ORDERS,
  SORT_ORDER_DEFAULT,
  USER_FILTER_MAX_LENGTH,
} from '@meridian/contract/posts';
import {
  listQuery,
  oneOf,
  type PagePosition,
  type ParamValues,
  readParams,
  readPosition,
  text,
} from '../../components/list/list-params.ts';

const ID = text(36);
const INSTANT = text(40);
const FLAG = oneOf(['true']);

/** What the address of the posts list can say. */
export const POSTS_PARAMS = {
  status: oneOf(POST_STATUS_FILTERS),
  userFilter: text(USER_FILTER_MAX_LENGTH),
  sort: oneOf(POST_SORTS, POST_SORT_DEFAULT),
  order: oneOf(SORT_ORDERS, SORT_ORDER_DEFAULT),
  // Beyond the specification: for Meridian alone.
  userId: ID,
  from: INSTANT,
  to: INSTANT,
  cause: oneOf(CAUSE_FILTERS),
  error: text(FAILURE_TEXT_LENGTH),
  owner: oneOf(CAUSE_OWNERS),
  hold: oneOf(HOLD_FILTERS),
  overdue: FLAG,
  stuck: FLAG,
  failedFrom: INSTANT,
  failedTo: INSTANT,
  text: text(POST_TEXT_MAX_LENGTH),
};
export type PostsValues = ParamValues<typeof POSTS_PARAMS>;

/** Everything that narrows the list. */
export const POSTS_FILTERS = ['status', 'userFilter', ...POST_FILTER_NAMES] as const;

const NO_FILTERS = Object.fromEntries(POST_FILTER_NAMES.map((name) => [name, '' as const]));

/** What a server without the further filters understands of it. */
export function specifiedValues(values: PostsValues): PostsValues {
  // The names are those of the filters, each of which may be empty.
  return { ...values, ...(NO_FILTERS as Partial<PostsValues>) };
}

/** Which posts, without order and page: what an export asks for. */
export function postsFilter({ sort: _sort, order: _order, overdue, stuck, ...rest }: PostsValues) {
  const set = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== ''));
  return {
    // Object.fromEntries forgets the names.
    ...(set as { [Name in keyof typeof rest]?: Exclude<(typeof rest)[Name], ''> }),
    ...(overdue === '' ? {} : { overdue: true }),
    ...(stuck === '' ? {} : { stuck: true }),
  };
}

function postsQuery(values: PostsValues, position: PagePosition) {
  const { status, userFilter, sort, order } = values;
  const specified = listQuery(POSTS_PAGE_SIZE, { status, userFilter, sort, order }, position);
  return { ...specified, ...postsFilter(values) };
}

/** Whether the address asks for what only some servers take. */
export function hasFurtherFilters(search: URLSearchParams): boolean {
  const values = readParams(POSTS_PARAMS, search);
  return POST_FILTER_NAMES.some((name) => values[name] !== '');
}

/** The page that the list shows at this address. */
export function postsPageAt(search: URLSearchParams, hasFilters: boolean) {
  const values = readParams(POSTS_PARAMS, search);
  const known = hasFilters ? values : specifiedValues(values);
  return { query: postsQuery(known, readPosition(search)) };
}
