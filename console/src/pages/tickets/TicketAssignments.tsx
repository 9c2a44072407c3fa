import type { Assignment } from '@meridian/contract/assignments';
import { DataTableHead } from '../../components/list/DataTableHead.tsx';
import { WindowedBody } from '../../components/list/WindowedBody.tsx';
import { Card } from '../../ui/Card.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { Table } from '../../ui/Table.tsx';
import { ASSIGNMENT_COLUMNS } from './assignment-columns.tsx';

const keyOf = ({ id }: Assignment) => id;

/** Who redeemed the ticket. */
export function TicketAssignments({ assignments }: { assignments: readonly Assignment[] }) {
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
        <EmptyState className="pt-4">Nobody has redeemed this ticket yet.</EmptyState>
      ) : (
        <Table
          label="Assignments"
          rowHeight="3.625rem"
          cellsPerLine={3}
          rowCount={assignments.length}
        >
          <DataTableHead columns={ASSIGNMENT_COLUMNS} sort={undefined} />
          <WindowedBody columns={ASSIGNMENT_COLUMNS} rows={assignments} rowKey={keyOf} />
        </Table>
      )}
    </Card>
  );
}
