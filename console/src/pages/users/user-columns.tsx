import type { User } from '@meridian/contract/users';
import type { Column } from '../../components/list/column.ts';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { UserCell } from '../../components/UserCell.tsx';
import { paths } from '../../paths.ts';
import { Mono } from '../../ui/Mono.tsx';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';

export const USER_COLUMNS: readonly Column<User>[] = [
  {
    header: 'User',
    unlabelled: true,
    skeleton: '70%',
    cell: (user) => (
      <UserCell
        avatar={user.avatar}
        initialOf={user.display_name || user.handle}
        name={user.display_name || '-'}
        detail={<Mono value={user.did} />}
      />
    ),
  },
  {
    header: 'Handle',
    skeleton: '80%',
    // What the name and the DID do not need where there is room.
    width: 'clamp(9rem, 40cqi - 8.5rem, 20rem)',
    cell: (user) => <SafeText className="wrap-anywhere">{user.handle}</SafeText>,
  },
  {
    header: 'Status',
    skeleton: '5rem',
    width: '7.75rem',
    cell: (user) => <StatusBadge status={user.status} />,
  },
  {
    header: 'Created At',
    skeleton: '8rem',
    width: 'clamp(7.25rem, 16cqi, 10.25rem)',
    // Two lines where the table is narrow, so that the handle keeps its room.
    cell: (user) => (
      <Time value={user.created_at} className="text-muted @max-[62rem]:whitespace-normal!" />
    ),
  },
  {
    header: 'Details',
    headerHidden: true,
    unlabelled: true,
    align: 'end',
    skeleton: '5rem',
    width: '7.75rem',
    cell: (user) => (
      <AppLink
        to={paths.user(user.id)}
        className="rounded-sm font-medium whitespace-nowrap text-accent-text hover:underline"
        aria-label={`View Details of ${user.handle}`}
      >
        View Details
      </AppLink>
    ),
  },
];
