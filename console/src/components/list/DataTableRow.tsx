import { memo, type Ref } from 'react';
import { Td } from '../../ui/Td.tsx';
import type { Column } from './column.ts';

interface DataTableRowProps<Row> {
  columns: readonly Column<Row, string>[];
  row: Row;
  /** Where the table holds only some of its rows: which one this is, counted from 0. */
  index?: number | undefined;
  ref?: Ref<HTMLTableRowElement> | undefined;
}

function Cells<Row>({ columns, row, index, ref }: DataTableRowProps<Row>) {
  return (
    // The header is the first row of the table.
    <tr ref={ref} data-index={index} aria-rowindex={index === undefined ? undefined : index + 2}>
      {columns.map(({ header, cell, align, unlabelled, wide }) => (
        <Td key={header} label={unlabelled === true ? undefined : header} align={align} wide={wide}>
          {cell(row)}
        </Td>
      ))}
    </tr>
  );
}

/** Drawn again only when it shows something else: scrolling passes by hundreds of them. */
export const DataTableRow = memo(Cells) as typeof Cells; // memo forgets that it is generic
