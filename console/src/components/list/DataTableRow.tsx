import { memo, type Ref } from 'react';
import { Td } from '../../ui/Td.tsx';
import type { Column } from './column.ts';
import { openRow } from './open-row.ts';
import { SelectBox } from './SelectBox.tsx';
import type { RowSelection } from './use-row-selection.ts';

interface DataTableRowProps<Row> {
  columns: readonly Column<Row, string>[];
  row: Row;
  rowKey: string;
  /** Where the table holds only some of its rows: which one this is, counted from 0. */
  index?: number | undefined;
  ref?: Ref<HTMLTableRowElement> | undefined;
  isSelected?: boolean | undefined;
  /** Both given where rows can be selected. */
  onSelect?: RowSelection['onSelect'] | undefined;
  labelOf?: RowSelection<Row>['labelOf'] | undefined;
}

function Cells<Row>({
  columns,
  row,
  rowKey,
  index,
  ref,
  isSelected = false,
  onSelect,
  labelOf,
}: DataTableRowProps<Row>) {
  const box = onSelect && labelOf && (
    <SelectBox
      label={`Select ${labelOf(row)}`}
      checked={isSelected}
      onSelect={(isOn, isRange) => onSelect(rowKey, isOn, isRange)}
    />
  );
  return (
    // The header is the first row of the table.
    // A click is a shortcut to the link inside, which the keyboard reaches.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <tr
      ref={ref}
      data-index={index}
      aria-rowindex={index === undefined ? undefined : index + 2}
      data-selected={isSelected ? '' : undefined}
      onClick={openRow}
    >
      {columns.map(({ header, cell, align, unlabelled, wide, corner, roomy }, column) => (
        <Td
          key={header}
          label={unlabelled === true ? undefined : header}
          align={align}
          wide={wide}
          corner={corner}
          roomy={roomy}
          box={column === 0 ? box : undefined}
        >
          {cell(row)}
        </Td>
      ))}
    </tr>
  );
}

/** Drawn again only when it shows something else: scrolling passes by hundreds of them. */
export const DataTableRow = memo(Cells) as typeof Cells; // memo forgets that it is generic
