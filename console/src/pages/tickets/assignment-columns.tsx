import { type Assignment, assignmentCan } from '@meridian/contract/assignments';
import type { Column } from '../../components/list/column.ts';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { AssignmentBadge } from '../../components/AssignmentBadge.tsx';
import { nameOf } from '../../components/user-name.ts';
import { paths } from '../../paths.ts';
import { breakAtDots } from '../../ui/break-at-dots.tsx';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';
import { AssignmentLimits } from './AssignmentLimits.tsx';
import { RevokeAssignment, userLinkId } from './RevokeAssignment.tsx';
import { holderOf } from './ticket-words.ts';
import { DATE_TIME_WIDTH } from '../../ui/time-width.ts';

/** A time on one line, between the paddings of its cell. */
const TIME_WIDTH = `calc(${DATE_TIME_WIDTH} + 1rem)`;

export const ASSIGNMENT_COLUMNS: readonly Column<Assignment>[] = [
  {
    header: 'User',
    cell: (assignment) => {
      const { id, user } = assignment;
      const name = nameOf(holderOf(assignment));
      return (
        <div className="min-w-0 leading-tight">
          <AppLink
            id={userLinkId(id)}
            to={paths.user(user.id)}
            className="-my-1 block truncate rounded-sm py-1 font-medium text-accent-text hover:underline"
          >
            <SafeText draw={breakAtDots}>{name}</SafeText>
          </AppLink>
          {user.handle !== '' && (
            <div className="truncate text-xs text-muted">
              <SafeText draw={breakAtDots}>{`@${user.handle}`}</SafeText>
            </div>
          )}
        </div>
      );
    },
  },
  {
    header: 'Status',
    width: '8rem',
    cell: (assignment) => (
      <>
        <AssignmentBadge status={assignment.status} />
        {assignment.limitsOverride !== null && <AssignmentLimits assignment={assignment} />}
      </>
    ),
  },
  {
    header: 'Activated At',
    width: TIME_WIDTH,
    cell: ({ activatedAt }) => <Time value={activatedAt} />,
  },
  {
    header: 'Expires At',
    width: TIME_WIDTH,
    cell: ({ expiresAt }) => <Time value={expiresAt} fallback="Never" />,
  },
  {
    header: 'Created At',
    width: TIME_WIDTH,
    cell: ({ createdAt }) => <Time value={createdAt} className="text-muted" />,
  },
  {
    header: 'Action',
    headerHidden: true,
    unlabelled: true,
    align: 'end',
    width: '6.5rem',
    cell: (assignment) =>
      assignmentCan.revoke(assignment) && <RevokeAssignment assignment={assignment} />,
  },
];
