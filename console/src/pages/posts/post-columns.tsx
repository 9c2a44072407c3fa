import type { ListedPost, PostSort } from '@meridian/contract/posts';
import { TRUNCATE } from '@meridian/contract/posts';
import type { Column } from '../../components/list/column.ts';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { PostExcerpt } from '../../components/PostExcerpt.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { paths } from '../../paths.ts';
import { formatDateTime, parseTime } from '../../ui/format-time.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';
import { truncateGraphemes } from '../../ui/truncate-graphemes.ts';
import { PostAuthorCell } from './PostAuthorCell.tsx';
import { DATE_TIME_WIDTH } from '../../ui/time-width.ts';

/** Which post is meant, for screen readers: not by its text, which may be of another language. */
export function postLabel({ scheduled_at, user }: ListedPost): string {
  const at = parseTime(scheduled_at);
  return `${user?.handle ?? 'post'} ${at ? formatDateTime(at) : ''}`;
}

export const POST_COLUMNS: readonly Column<ListedPost, PostSort>[] = [
  {
    header: 'User',
    unlabelled: true,
    skeleton: '70%',
    width: 'clamp(12.5rem, 22cqi, 16rem)',
    cell: (post) => <PostAuthorCell post={post} />,
  },
  {
    header: 'Content',
    unlabelled: true,
    wide: true,
    skeleton: '90%',
    cell: (post) => (
      <>
        <AppLink
          to={paths.post(post.id)}
          dir="auto"
          data-row-link=""
          className="block min-h-6 content-center rounded-sm leading-snug wrap-anywhere hover:text-accent-text hover:underline"
        >
          <PostExcerpt {...post} length={TRUNCATE.listContent} />
        </AppLink>
        {post.error_msg !== null && post.error_msg !== '' && (
          <div className="mt-0.5 overflow-clip text-sm wrap-anywhere text-danger">
            <SafeText>{truncateGraphemes(post.error_msg, TRUNCATE.listError)}</SafeText>
          </div>
        )}
      </>
    ),
  },
  {
    header: 'Status',
    corner: true,
    sort: 'status',
    skeleton: '5rem',
    width: '7.5rem',
    cell: (post) => <StatusBadge status={post.status} />,
  },
  {
    header: 'Scheduled',
    sort: 'scheduled_at',
    skeleton: '8rem',
    width: `calc(${DATE_TIME_WIDTH} + 1rem)`,
    cell: (post) => <Time value={post.scheduled_at} />,
  },
  {
    header: 'Created',
    sort: 'created_at',
    skeleton: '8rem',
    width: `calc(${DATE_TIME_WIDTH} + 1.5rem)`,
    cell: (post) => <Time value={post.created_at} className="text-muted" />,
  },
];
