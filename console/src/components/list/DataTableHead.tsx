import type { ReactNode } from 'react';
import { SortTh } from '../../ui/SortTh.tsx';
import { Th } from '../../ui/Th.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { type Column, nextOrder, type TableSort } from './column.ts';

interface DataTableHeadProps<Row, Sort extends string> {
  columns: readonly Column<Row, Sort>[];
  sort?: TableSort<Sort> | undefined;
  /** Stands in the margin of the first header: a checkbox for all rows. */
  box?: ReactNode;
}

const DIRECTIONS = { asc: 'ascending', desc: 'descending' } as const;

export function DataTableHead<Row, Sort extends string>({
  columns,
  sort,
  box,
}: DataTableHeadProps<Row, Sort>) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map(({ header, headerHidden = false, sort: name, align, width, roomy }, column) =>
          sort === undefined || name === undefined ? (
            <Th
              key={header}
              label={column === 0 ? header : undefined}
              align={align}
              width={column === 0 ? withRoom(width) : width}
              roomy={roomy}
            >
              {column === 0 && box}
              {headerHidden ? <VisuallyHidden>{header}</VisuallyHidden> : header}
            </Th>
          ) : (
            <SortTh
              key={header}
              align={align}
              width={width}
              direction={sort.column === name ? DIRECTIONS[sort.order] : undefined}
              onSort={() => sort.onSort(name, nextOrder(sort, name))}
            >
              {header}
            </SortTh>
          ),
        )}
      </tr>
    </thead>
  );
}

/** The checkbox in the margin of the first column takes nothing from its content. */
function withRoom(width: string | undefined): string | undefined {
  return width === undefined ? undefined : `calc(${width} + var(--select-room, 0px))`;
}
