import type { Column } from './column.ts';

/** What the rows of a table are made of. */
export interface TableBodyProps<Row> {
  /** At module scope, so that a row is not drawn again without need. */
  columns: readonly Column<Row, string>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** So many rows fill the screen: the first frame needs no more. */
  inSight?: number | undefined;
}
