import {
  type Assignment,
  ASSIGNMENT_MESSAGES,
  assignmentCan,
} from '@meridian/contract/assignments';
import type { Ticket } from '@meridian/contract/tickets';
import { Button } from '@meridian/ui/Button.tsx';
import { Card, CardHeader } from '@meridian/ui/Card.tsx';
import { breakAtDots, SafeText } from '@meridian/ui/SafeText.tsx';
import { Table } from '@meridian/ui/Table.tsx';
import { DATE_TIME_WIDTH, Time } from '@meridian/ui/Time.tsx';
import { formatNumber } from '@meridian/ui/format.ts';
import { keepPlace } from '@meridian/ui/hooks.ts';
import { AppLink } from '@meridian/ui/links.tsx';
import { type Column, DataTableHead, SelectBox } from '@meridian/ui/list/DataTable.tsx';
import { WindowedBody } from '@meridian/ui/list/WindowedBody.tsx';
import { useBulkSelection } from '@meridian/ui/list/selection.ts';
import { EmptyState } from '@meridian/ui/placeholders.tsx';
import { showToast } from '@meridian/ui/toasts.ts';
import { SelectionBar } from '../../components/SelectionBar.tsx';
import { AssignmentBadge } from '../../components/badges.tsx';
import { limitLabel, limitsInForce, limitText } from '../../components/limits.tsx';
import { useRevokeAssignment } from '../../components/use-revoke-assignment.tsx';
import { nameOf, personOf } from '../../components/users.tsx';
import { paths } from '../../paths.ts';
import { overridesText } from './limits.tsx';

interface TicketAssignmentsProps {
  ticket: Ticket;
  assignments: readonly Assignment[];
}

export function TicketAssignments({ ticket, assignments }: TicketAssignmentsProps) {
  const selection = useBulkSelection(BULK, ticket.id, assignments.map(keyOf));
  return (
    <Card aria-labelledby="ticket-assignments">
      <CardHeader
        title="Assignments"
        titleId="ticket-assignments"
        actions={
          assignments.length > 0 && (
            <span className="text-sm text-muted">{formatNumber(assignments.length)} in total</span>
          )
        }
      />
      {assignments.length === 0 ? (
        <EmptyState className="pt-4">
          {ticket.redemptionCount === 0
            ? 'This ticket has not been redeemed yet.'
            : 'No assignments are listed for this ticket.'}
        </EmptyState>
      ) : (
        <Table
          label="Assignments"
          rowHeight="3.625rem"
          cellsPerLine={3}
          rowCount={assignments.length}
          selectable={selection !== undefined}
        >
          <DataTableHead
            columns={COLUMNS}
            box={
              selection && (
                <SelectBox
                  label="Select all assignments"
                  checked={selection.ids.size === assignments.length}
                  mixed={selection.ids.size > 0 && selection.ids.size < assignments.length}
                  onSelect={selection.selectPage}
                />
              )
            }
          />
          <WindowedBody columns={COLUMNS} rows={assignments} rowKey={keyOf} selection={selection} />
        </Table>
      )}
      {selection && (
        <SelectionBar of="assignments" selection={selection} total={undefined} noun="assignments" />
      )}
    </Card>
  );
}

const keyOf = ({ id }: Assignment) => id;
const BULK = { labelOf: ({ user }: Assignment) => user.handle || user.id };

const TIME_WIDTH = `calc(${DATE_TIME_WIDTH} + 1rem)`;

const COLUMNS: readonly Column<Assignment>[] = [
  {
    header: 'User',
    cell: (assignment) => {
      const { id, user } = assignment;
      return (
        <div className="min-w-0 leading-tight">
          <AppLink
            id={userLinkId(id)}
            to={paths.user(user.id)}
            className="-my-1 block truncate rounded-sm py-1 font-medium text-accent-text hover:underline"
          >
            <SafeText draw={breakAtDots}>{nameOf(holderOf(assignment))}</SafeText>
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

/** All assignments of a ticket have the same overrides, so they are folded. */
function AssignmentLimits({ assignment }: { assignment: Assignment }) {
  const overridden = limitsInForce(assignment.plan.limits, assignment.limitsOverride).filter(
    ({ isOverridden }) => isOverridden,
  );
  if (overridden.length === 0) return null;
  return (
    <details className="mt-1">
      <summary className="-my-1 rounded-sm py-1 text-accent-text">
        {overridesText(overridden.length)}
      </summary>
      <dl className="mt-1 flex flex-col gap-1 text-xs">
        {overridden.map(({ name, ofPlan, effective }) => (
          <div key={name}>
            <dt className="text-muted">{limitLabel(name)}</dt>
            <dd className="tabular-nums">
              <span className="font-semibold">{limitText(name, effective)}</span>{' '}
              <span className="text-muted">Plan: {limitText(name, ofPlan)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

const holderOf = ({ user }: Assignment) => ({ ...user, display_name: user.displayName });

/** The link to the user describes the button in the same row. */
const userLinkId = (assignmentId: string) => `user-of-${assignmentId}`;

function RevokeAssignment({ assignment }: { assignment: Assignment }) {
  const revoke = useRevokeAssignment();
  const { id } = assignment;
  const holder = holderOf(assignment);
  const name = nameOf(holder);

  async function ask() {
    const isDone = await revoke({
      assignment,
      userId: holder.id,
      person: personOf(holder),
      question: ASSIGNMENT_MESSAGES.confirmRevokeForUser(name),
      warning: 'This action cannot be undone.',
    });
    if (!isDone) return;
    showToast({ message: `Plan assignment revoked: ${name}` });
    keepPlace(document.getElementById(userLinkId(id)));
  }

  return (
    <Button
      variant="danger-quiet"
      size="sm"
      aria-describedby={userLinkId(id)}
      onClick={() => void ask()}
    >
      Revoke
    </Button>
  );
}
