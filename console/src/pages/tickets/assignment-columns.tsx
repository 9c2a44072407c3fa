import { type Assignment, assignmentCan } from '@meridian/contract/assignments';
import type { Column } from '../../components/list/column.ts';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { AssignmentBadge } from '../../components/AssignmentBadge.tsx';
import { paths } from '../../paths.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';
import { RevokeAssignment, userLinkId } from './RevokeAssignment.tsx';

export const ASSIGNMENT_COLUMNS: readonly Column<Assignment>[] = [
  {
    header: 'User',
    cell: ({ id, user }) => (
      <div className="min-w-0 leading-tight">
        <AppLink
          id={userLinkId(id)}
          to={paths.user(user.id)}
          className="block truncate rounded-sm font-medium text-accent-text hover:underline"
        >
          <SafeText>{user.displayName || user.handle || user.did || user.id}</SafeText>
        </AppLink>
        {user.handle !== '' && (
          <div className="truncate text-xs text-muted">
            <SafeText>{`@${user.handle}`}</SafeText>
          </div>
        )}
      </div>
    ),
  },
  {
    header: 'Status',
    width: '8rem',
    cell: ({ status }) => <AssignmentBadge status={status} />,
  },
  {
    header: 'Activated At',
    width: '11rem',
    cell: ({ activatedAt }) => <Time value={activatedAt} />,
  },
  {
    header: 'Expires At',
    width: '11rem',
    cell: ({ expiresAt }) => <Time value={expiresAt} fallback="Never" />,
  },
  {
    header: 'Created At',
    width: '11rem',
    cell: ({ createdAt }) => <Time value={createdAt} className="text-muted" />,
  },
  {
    header: 'Action',
    headerHidden: true,
    unlabelled: true,
    align: 'end',
    width: '7rem',
    cell: (assignment) =>
      assignmentCan.revoke(assignment) && <RevokeAssignment assignment={assignment} />,
  },
];
