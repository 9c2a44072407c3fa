import { CAUSE_OWNERS } from '@meridian/contract/cause-words';
import {
  ANY_HOLD,
  CAUSE_FILTERS,
  FAILURE_TEXT_LENGTH,
  HOLD_FILTERS,
  POST_FILTER_NAMES,
  POST_SORT_DEFAULT,
  POST_SORTS,
  POST_STATUS_FILTERS,
  POST_TEXT_MAX_LENGTH,
  type PostFilter,
  POSTS_PAGE_SIZE,
  SORT_ORDER_DEFAULT,
  SORT_ORDERS,
  USER_FILTER_MAX_LENGTH,
} from '@meridian/contract/posts';
import { userGet } from '@meridian/contract/users';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { useEndpointQuery } from '@meridian/ui/api/query.ts';
import { formatDateTime, parseTime } from '@meridian/ui/format.ts';
import type { FilterChip } from '@meridian/ui/list/filters.tsx';
import {
  listQuery,
  oneOf,
  type PagePosition,
  type ParamValues,
  readParams,
  readPosition,
  text,
} from '@meridian/ui/list/params.ts';

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

type FilterName = keyof PostFilter;

export const OWNER_LABELS = { person: 'the user', network: 'the network', us: 'us' } as const;

/** 'too_late' -> 'too late' */
export const wordsOf = (word: string) => word.replaceAll('_', ' ');
const timeOf = (value: string) => {
  const time = parseTime(value);
  return time === undefined ? value : formatDateTime(time);
};

const LABELS: Readonly<Record<FilterName, (value: string) => string>> = {
  userId: (id) => `User: ${id.slice(0, 8)}`,
  from: (value) => `Scheduled from ${timeOf(value)}`,
  to: (value) => `Scheduled before ${timeOf(value)}`,
  cause: (cause) => `Cause: ${wordsOf(cause)}`,
  error: (error) => `Error: ${error}`,
  owner: (owner) => `Failed because of ${OWNER_LABELS[owner as keyof typeof OWNER_LABELS]}`, // a word of the list
  hold: (hold) => (hold === ANY_HOLD ? 'On hold' : `On hold: ${wordsOf(hold)}`),
  overdue: () => 'Overdue',
  stuck: () => 'Stuck',
  failedFrom: (value) => `Failed from ${timeOf(value)}`,
  failedTo: (value) => `Failed before ${timeOf(value)}`,
  text: (text) => `Text: ${text}`,
};

export function postChips(
  values: PostsValues,
  remove: (change: Partial<PostsValues>) => void,
): FilterChip[] {
  return POST_FILTER_NAMES.filter((name) => values[name] !== '').map((name) => ({
    name,
    label: LABELS[name](values[name]),
    shown: name === 'userId' ? <UserName id={values.userId} /> : undefined,
    onRemove: () => remove(isBound(name) ? { [name]: '', text: '' } : { [name]: '' }),
  }));
}

/** A search in texts is refused without its bounds, and so ends with them. */
function isBound(name: FilterName): boolean {
  return name === 'userId' || name === 'from' || name === 'to';
}

function UserName({ id }: { id: string }) {
  const { data } = useEndpointQuery(userGet, { params: { id } });
  if (data === undefined) return LABELS.userId(id);
  return (
    <>
      User: <SafeText>{`@${data.user.handle}`}</SafeText>
    </>
  );
}
