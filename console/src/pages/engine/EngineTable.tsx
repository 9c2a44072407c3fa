import { useId } from 'react';
import type { Column } from '../../components/list/column.ts';
import { DataTableHead } from '../../components/list/DataTableHead.tsx';
import { WholeBody } from '../../components/list/WholeBody.tsx';
import { Card } from '../../ui/Card.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Table } from '../../ui/Table.tsx';

interface EngineTableProps<Row> {
  title: string;
  description?: string;
  empty: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Where the columns do not fit side by side: so many cells to a line. */
  cellsPerLine?: number;
}

/** A card with one of the engine's lists, which come whole with its state. */
export function EngineTable<Row>(props: EngineTableProps<Row>) {
  const { title, description, empty, columns, rows, rowKey, cellsPerLine } = props;
  const titleId = useId();
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader title={title} titleId={titleId} description={description} />
      {rows.length === 0 ? (
        <EmptyState className="pt-4 pb-8">{empty}</EmptyState>
      ) : (
        <Table label={title} cellsPerLine={cellsPerLine}>
          <DataTableHead columns={columns} />
          <WholeBody columns={columns} rows={rows} rowKey={rowKey} />
        </Table>
      )}
    </Card>
  );
}
