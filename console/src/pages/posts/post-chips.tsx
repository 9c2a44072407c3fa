import { ANY_HOLD, POST_FILTER_NAMES, type PostFilter } from '@meridian/contract/posts';
import { userGet } from '@meridian/contract/users';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import type { FilterChip } from '../../components/list/FilterChips.tsx';
import { formatDateTime, parseTime } from '../../ui/format-time.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import type { PostsValues } from './posts-params.ts';

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
