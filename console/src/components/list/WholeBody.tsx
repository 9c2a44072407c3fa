import { NavigationType, useNavigationType } from 'react-router';
import { useAfterPaint } from '../../ui/use-after-paint.ts';
import { DataTableRow } from './DataTableRow.tsx';
import { selectOf, type TableBodyProps } from './table-body.ts';

/** All rows: those in sight with the first frame, the others right after it. */
export function WholeBody<Row>({
  columns,
  rows,
  rowKey,
  inSight = Infinity,
  selection,
}: TableBodyProps<Row>) {
  // Back leads to the scroll position that was left, which may be at the last row.
  const isReturn = useNavigationType() === NavigationType.Pop;
  const isPainted = useAfterPaint(isReturn || rows.length <= inSight);
  const drawn = isPainted ? rows : rows.slice(0, inSight);
  const missing = rows.length - drawn.length;
  return (
    <tbody>
      {drawn.map((row) => (
        <DataTableRow
          key={rowKey(row)}
          rowKey={rowKey(row)}
          columns={columns}
          row={row}
          {...selectOf(selection, rowKey(row))}
        />
      ))}
      {missing > 0 && (
        <tr aria-hidden="true" style={{ height: `calc(${missing} * var(--row-height))` }} />
      )}
    </tbody>
  );
}
