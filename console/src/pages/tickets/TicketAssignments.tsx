import type { Assignment } from '@meridian/contract/assignments';
import type { Ticket } from '@meridian/contract/tickets';
import { DataTableHead } from '../../components/list/DataTableHead.tsx';
import { SelectBox } from '../../components/list/SelectBox.tsx';
import { SelectionBar } from '../../components/list/SelectionBar.tsx';
import { useBulkSelection } from '../../components/list/use-bulk-selection.ts';
import { WindowedBody } from '../../components/list/WindowedBody.tsx';
import { Card } from '../../ui/Card.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { Table } from '../../ui/Table.tsx';
import { ASSIGNMENT_COLUMNS } from './assignment-columns.tsx';

const keyOf = ({ id }: Assignment) => id;
const BULK = {
  of: 'assignments',
  labelOf: ({ user }: Assignment) => user.handle || user.id,
} as const;

interface TicketAssignmentsProps {
  ticket: Ticket;
  assignments: readonly Assignment[];
}

/** Who redeemed the ticket. */
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
            columns={ASSIGNMENT_COLUMNS}
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
          <WindowedBody
            columns={ASSIGNMENT_COLUMNS}
            rows={assignments}
            rowKey={keyOf}
            selection={selection}
          />
        </Table>
      )}
      {selection && (
        <SelectionBar bulk={BULK} selection={selection} total={undefined} noun="assignments" />
      )}
    </Card>
  );
}
