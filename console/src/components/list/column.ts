import type { ReactNode } from 'react';

/** One column of a DataTable. Kept at module scope: it knows the row and nothing else. */
export interface Column<Row, Sort extends string = never> {
  header: string;
  /** Where the cells speak for themselves: the header is for screen readers. */
  headerHidden?: boolean | undefined;
  cell: (row: Row) => ReactNode;
  /** The name of the sort that a press on the header asks for. */
  sort?: Sort | undefined;
  align?: 'start' | 'end' | undefined;
  width?: string | undefined;
  /** The width of its skeleton. */
  skeleton?: string | undefined;
  /** The cell speaks for itself: no label beside it where rows are stacked. */
  unlabelled?: boolean | undefined;
  /** Where a row is a block of cells, some to a line, it takes two places. */
  wide?: boolean | undefined;
  /** Where rows are narrow: stands at the end of the first line, without its label. */
  corner?: boolean | undefined;
  /** Left out where the columns of the table would be too narrow with it. */
  roomy?: boolean | undefined;
}

export interface TableSort<Sort extends string> {
  column: Sort;
  order: 'asc' | 'desc';
  /** Called with what a press on a header means. */
  onSort: (column: Sort, order: 'asc' | 'desc') => void;
}

/** A press on the active column turns it round; another column starts with the newest. */
export function nextOrder<Sort extends string>(
  { column, order }: TableSort<Sort>,
  pressed: Sort,
): 'asc' | 'desc' {
  return column === pressed && order === 'desc' ? 'asc' : 'desc';
}
