import { type Assignment, assignmentCan } from '@meridian/contract/assignments';
import type { Column } from '../../components/list/column.ts';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { AssignmentBadge } from '../../components/AssignmentBadge.tsx';
import { nameOf } from '../../components/user-name.ts';
import { paths } from '../../paths.ts';
import { NOTHING } from '../../ui/nothing.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';
import { AssignmentLimits } from './AssignmentLimits.tsx';
import { RevokeAssignment, userLinkId } from './RevokeAssignment.tsx';
import { holderOf } from './ticket-words.ts';
import { DATE_TIME_WIDTH } from '../../ui/time-width.ts';

/** A time on one line, between the paddings of its cell. */
const TIME_WIDTH = `calc(${DATE_TIME_WIDTH} + 1rem)`;

const COLUMNS: readonly Column<Assignment>[] = [
  {
    header: 'User',
    cell: (assignment) => {
      const { id, user } = assignment;
      const name = nameOf(holderOf(assignment));
      // Another server may leave the user out: then there is no page to lead to.
      if (user.id === '') return <SafeText>{name || NOTHING}</SafeText>;
      return (
        <div className="min-w-0 leading-tight">
          <AppLink
            id={userLinkId(id)}
            to={paths.user(user.id)}
            className="-my-1 block truncate rounded-sm py-1 font-medium text-accent-text hover:underline"
          >
            <SafeText>{name}</SafeText>
          </AppLink>
          {user.handle !== '' && (
            <div className="truncate text-xs text-muted">
              <SafeText>{`@${user.handle}`}</SafeText>
            </div>
          )}
        </div>
      );
    },
  },
  {
    header: 'Status',
    width: '8rem',
    cell: ({ status }) => <AssignmentBadge status={status} />,
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
    width: '7rem',
    // The call needs the ids of both.
    cell: (assignment) =>
      assignmentCan.revoke(assignment) &&
      assignment.id !== '' &&
      assignment.user.id !== '' && <RevokeAssignment assignment={assignment} />,
  },
];

/** Between the status and the times, where some of the assignments have limits of their own. */
const LIMITS: Column<Assignment> = {
  header: 'Limits',
  width: '9rem',
  cell: (assignment) => <AssignmentLimits assignment={assignment} />,
};

export function assignmentColumns(
  assignments: readonly Assignment[],
): readonly Column<Assignment>[] {
  const hasOverrides = assignments.some(({ limitsOverride }) => limitsOverride !== null);
  return hasOverrides ? COLUMNS.toSpliced(2, 0, LIMITS) : COLUMNS;
}
