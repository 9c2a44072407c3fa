import type { Column } from './column.ts';
import type { RowSelection } from './use-row-selection.ts';

/** What the rows of a table are made of. */
export interface TableBodyProps<Row> {
  /** At module scope, so that a row is not drawn again without need. */
  columns: readonly Column<Row, string>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** So many rows fill the screen: the first frame needs no more. */
  inSight?: number | undefined;
  /** Given where rows can be selected. */
  selection?: RowSelection<Row> | undefined;
}

/** What a row is told of the selection: each by itself, so that only a row that changes is drawn again. */
export function selectOf<Row>(selection: RowSelection<Row> | undefined, key: string) {
  if (selection === undefined) return undefined;
  const { ids, isAll, onSelect, labelOf } = selection;
  return { isSelected: isAll || ids.has(key), onSelect, labelOf };
}
