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
  POST_TEXT_DAYS_MAX,
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
import { Checkbox } from '@meridian/ui/choices.tsx';
import { formatDateTime, parseTime } from '@meridian/ui/format.ts';
import { DayField, type FilterChip, FilterSelect, FilterText } from '@meridian/ui/list/filters.tsx';
import {
  type ListParams,
  listQuery,
  oneOf,
  type ParamValues,
  readParams,
  readPosition,
  text,
} from '@meridian/ui/list/params.ts';

const INSTANT = text(40);
const FLAG = oneOf(['true']);

/** The parameters in the address of the posts list. */
export const POSTS_PARAMS = {
  status: oneOf(POST_STATUS_FILTERS),
  userFilter: text(USER_FILTER_MAX_LENGTH),
  sort: oneOf(POST_SORTS, POST_SORT_DEFAULT),
  order: oneOf(SORT_ORDERS, SORT_ORDER_DEFAULT),
  // The further filters, which Meridian alone has.
  userId: text(36),
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
type PostsValues = ParamValues<typeof POSTS_PARAMS>;
type FilterName = keyof PostFilter;

export const POSTS_FILTERS = ['status', 'userFilter', ...POST_FILTER_NAMES] as const;

const NO_FILTERS = Object.fromEntries(POST_FILTER_NAMES.map((name) => [name, '' as const]));

export function withoutFurtherFilters(values: PostsValues): PostsValues {
  // The names are those of the filters, each of which may be empty.
  return { ...values, ...(NO_FILTERS as Partial<PostsValues>) };
}

export function hasFurtherFilters(search: URLSearchParams): boolean {
  const values = readParams(POSTS_PARAMS, search);
  return POST_FILTER_NAMES.some((name) => values[name] !== '');
}

/** The query of the page that the list shows at this address. */
export function postsPageAt(search: URLSearchParams, hasFilters: boolean) {
  const asked = readParams(POSTS_PARAMS, search);
  const values = hasFilters ? asked : withoutFurtherFilters(asked);
  const { status, userFilter, sort, order } = values;
  const page = { status, userFilter, sort, order };
  return {
    query: {
      ...listQuery(POSTS_PAGE_SIZE, page, readPosition(search)),
      ...postsFilter(values),
    },
  };
}

/** The query without order and page, for an export. */
export function postsFilter({ sort: _sort, order: _order, overdue, stuck, ...rest }: PostsValues) {
  const set = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== ''));
  return {
    // Object.fromEntries forgets the names.
    ...(set as { [Name in keyof typeof rest]?: Exclude<(typeof rest)[Name], ''> }),
    ...(overdue === '' ? {} : { overdue: true }),
    ...(stuck === '' ? {} : { stuck: true }),
  };
}

/** The further filters. Each applies as soon as it is set. */
export function PostFilterPanel({ list }: { list: ListParams<typeof POSTS_PARAMS> }) {
  const { from, to, userId } = list.values;
  const isShort = Date.parse(to) - Date.parse(from) <= POST_TEXT_DAYS_MAX * DAY_MS;
  const isBounded = userId !== '' || isShort;
  return (
    <div className="flex w-full flex-wrap items-end gap-2.5 pt-1">
      {PERIOD.map(([name, label, side]) => (
        <DayField
          key={name}
          label={label}
          className="w-44 @max-xl:w-full"
          side={side}
          value={list.values[name]}
          // A search in texts ends with its bounds.
          onChange={(instant) => list.set({ [name]: instant, ...(userId === '' && { text: '' }) })}
        />
      ))}
      <FilterSelect
        label="Cause"
        allLabel="Any cause"
        options={CAUSE_OPTIONS}
        {...list.choice('cause')}
      />
      <FilterSelect
        label="Failed because of"
        allLabel="All Owners"
        options={OWNER_OPTIONS}
        {...list.choice('owner')}
      />
      <FilterSelect
        label="On hold"
        allLabel="On hold or not"
        options={HOLD_OPTIONS}
        {...list.choice('hold')}
      />
      <FilterText
        label={isBounded ? 'Text of the post' : `Text: needs ${POST_TEXT_DAYS_MAX} days or less`}
        disabled={!isBounded}
        {...list.typed('text')}
      />
      {(['overdue', 'stuck'] as const).map((name) => (
        <Checkbox
          key={name}
          label={CHIP_LABELS[name]('')}
          className="h-control"
          checked={list.values[name] === 'true'}
          onCheckedChange={(isOn) => list.set({ [name]: isOn ? 'true' : '' })}
        />
      ))}
    </div>
  );
}

export function postChips(
  values: PostsValues,
  set: (change: Partial<PostsValues>) => void,
): FilterChip[] {
  return POST_FILTER_NAMES.filter((name) => values[name] !== '').map((name) => ({
    name,
    label: CHIP_LABELS[name](values[name]),
    shown: name === 'userId' ? <UserName id={values.userId} /> : undefined,
    // A search in texts is refused without its bounds, and so ends with them.
    onRemove: () => set({ [name]: '', ...(TEXT_BOUNDS.has(name) && { text: '' }) }),
  }));
}

function UserName({ id }: { id: string }) {
  const { data } = useEndpointQuery(userGet, { params: { id } });
  if (data === undefined) return CHIP_LABELS.userId(id);
  return (
    <>
      User: <SafeText>{`@${data.user.handle}`}</SafeText>
    </>
  );
}

const DAY_MS = 86_400_000;
const PERIOD = [
  ['from', 'Scheduled from', 'start'],
  ['to', 'Scheduled to', 'end'],
] as const;
const TEXT_BOUNDS: ReadonlySet<FilterName> = new Set(['userId', 'from', 'to']);
const OWNER_WORDS = { person: 'the user', network: 'the network', us: 'us' } as const;

const CHIP_LABELS: Readonly<Record<FilterName, (value: string) => string>> = {
  userId: (id) => `User: ${id.slice(0, 8)}`,
  from: (value) => `Scheduled from ${timeOf(value)}`,
  to: (value) => `Scheduled before ${timeOf(value)}`,
  cause: (cause) => `Cause: ${wordsOf(cause)}`,
  error: (error) => `Error: ${error}`,
  owner: (owner) => `Failed because of ${OWNER_WORDS[owner as keyof typeof OWNER_WORDS]}`, // a word of the list
  hold: (hold) => (hold === ANY_HOLD ? 'On hold' : `On hold: ${wordsOf(hold)}`),
  overdue: () => 'Overdue',
  stuck: () => 'Stuck',
  failedFrom: (value) => `Failed from ${timeOf(value)}`,
  failedTo: (value) => `Failed before ${timeOf(value)}`,
  text: (text) => `Text: ${text}`,
};

const optionsOf = <Word extends string>(words: readonly Word[], labelOf: (word: Word) => string) =>
  words.map((value) => ({ value, label: capitalized(labelOf(value)) }));
const CAUSE_OPTIONS = optionsOf(CAUSE_FILTERS, wordsOf).toSorted((a, b) =>
  a.label.localeCompare(b.label),
);
const OWNER_OPTIONS = optionsOf(CAUSE_OWNERS, (owner) => OWNER_WORDS[owner]);
const HOLD_OPTIONS = optionsOf(HOLD_FILTERS, CHIP_LABELS.hold);

/** 'too_late' -> 'too late' */
function wordsOf(word: string): string {
  return word.replaceAll('_', ' ');
}

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function timeOf(value: string): string {
  const time = parseTime(value);
  return time === undefined ? value : formatDateTime(time);
}
