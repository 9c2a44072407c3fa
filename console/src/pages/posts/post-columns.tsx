import type { ListedPost, PostSort } from '@meridian/contract/posts';
import { nameOf } from '../../components/user-name.ts';
import { TRUNCATE } from '@meridian/contract/posts';
import type { Column } from '../../components/list/column.ts';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { NO_TEXT } from '../../components/no-text.ts';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { UserCell } from '../../components/UserCell.tsx';
import { paths } from '../../paths.ts';
import { DATE_TIME_WIDTH } from '../../ui/format-time.ts';
import { Mono } from '../../ui/Mono.tsx';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';
import { truncateGraphemes } from '../../ui/truncate-graphemes.ts';

export const POST_COLUMNS: readonly Column<ListedPost, PostSort>[] = [
  {
    header: 'User',
    unlabelled: true,
    skeleton: '70%',
    width: 'clamp(12.5rem, 22cqi, 16rem)',
    cell: ({ user, user_id: userId }) =>
      user === null ? (
        <Mono value={userId} short={TRUNCATE.userId} copyLabel="Copy user id" />
      ) : (
        <UserCell
          avatar={user.avatar}
          initialOf={nameOf(user)}
          name={user.handle}
          to={paths.user(user.id)}
          detail={
            <Mono
              value={user.did}
              short={TRUNCATE.did}
              copyLabel={`Copy decentralised id of ${user.handle}`}
            />
          }
        />
      ),
  },
  {
    header: 'Content',
    unlabelled: true,
    wide: true,
    skeleton: '90%',
    cell: (post) => (
      <div className="min-w-0 leading-snug">
        <AppLink
          to={paths.post(post.id)}
          dir="auto"
          className="block rounded-sm text-accent-text wrap-anywhere hover:underline"
        >
          {truncateGraphemes(post.content, TRUNCATE.listContent) || NO_TEXT}
        </AppLink>
        {post.error_msg !== null && post.error_msg !== '' && (
          <div className="mt-0.5 text-sm wrap-anywhere text-danger">
            <SafeText>{truncateGraphemes(post.error_msg, TRUNCATE.listError)}</SafeText>
          </div>
        )}
      </div>
    ),
  },
  {
    header: 'Status',
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
