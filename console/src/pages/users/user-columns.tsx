import type { User } from '@meridian/contract/users';
import type { Column } from '../../components/list/column.ts';
import { displayNameOf, nameOf } from '../../components/user-name.ts';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { UserCell } from '../../components/UserCell.tsx';
import { paths } from '../../paths.ts';
import { breakAtDots } from '../../ui/break-at-dots.tsx';
import { Mono } from '../../ui/Mono.tsx';
import { NOTHING } from '../../ui/nothing.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';
import { DATE_TIME_WIDTH } from '../../ui/time-width.ts';

/** Cut by the edge of its cell if need be, but never without its copy button. */
function Did({ user }: { user: User }) {
  const { did, handle } = user;
  if (did === '') return NOTHING;
  const label = `Copy decentralised id of ${handle || nameOf(user)}`;
  return <Mono value={did} short={did.length} copyLabel={label} />;
}

export const USER_COLUMNS: readonly Column<User>[] = [
  {
    header: 'User',
    unlabelled: true,
    wide: true,
    skeleton: '70%',
    cell: (user) => (
      <UserCell
        avatar={user.avatar}
        initialOf={nameOf(user)}
        name={displayNameOf(user) ?? '-'}
        detail={<Did user={user} />}
      />
    ),
  },
  {
    header: 'Handle',
    skeleton: '80%',
    width: '26cqi',
    cell: (user) => (
      <SafeText draw={breakAtDots} className="wrap-break-word">
        {user.handle || NOTHING}
      </SafeText>
    ),
  },
  {
    header: 'Status',
    corner: true,
    skeleton: '5rem',
    width: '7.5rem',
    cell: (user) => (user.status === '' ? NOTHING : <StatusBadge status={user.status} />),
  },
  {
    header: 'Created At',
    skeleton: '8rem',
    width: `calc(${DATE_TIME_WIDTH} + 1.25rem)`,
    cell: (user) => <Time value={user.created_at} className="text-muted" />,
  },
  {
    header: 'Details',
    headerHidden: true,
    unlabelled: true,
    align: 'end',
    skeleton: '5rem',
    width: '7.5rem',
    cell: (user) => (
      <AppLink
        data-row-link=""
        to={paths.user(user.id)}
        className="-my-2.5 inline-block rounded-sm py-2.5 font-medium whitespace-nowrap text-accent-text hover:underline"
        aria-label={`View Details of ${user.handle || nameOf(user)}`}
      >
        View Details
      </AppLink>
    ),
  },
];
