import { DataTableRow } from './DataTableRow.tsx';
import type { TableBodyProps } from './table-body.ts';

/** All rows at once: for lists that come in pages. */
export function WholeBody<Row>({ columns, rows, rowKey }: TableBodyProps<Row>) {
  return (
    <tbody>
      {rows.map((row) => (
        <DataTableRow key={rowKey(row)} columns={columns} row={row} />
      ))}
    </tbody>
  );
}
