import { SortTh } from '../../ui/SortTh.tsx';
import { Th } from '../../ui/Th.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { type Column, nextOrder, type TableSort } from './column.ts';

interface DataTableHeadProps<Row, Sort extends string> {
  columns: readonly Column<Row, Sort>[];
  sort: TableSort<Sort> | undefined;
}

const DIRECTIONS = { asc: 'ascending', desc: 'descending' } as const;

export function DataTableHead<Row, Sort extends string>({
  columns,
  sort,
}: DataTableHeadProps<Row, Sort>) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map(({ header, headerHidden = false, sort: name, align, width }) =>
          sort === undefined || name === undefined ? (
            <Th key={header} align={align} width={width}>
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
