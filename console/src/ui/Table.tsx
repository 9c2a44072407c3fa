import type { CSSProperties, ReactNode } from 'react';

export interface TableProps {
  /** What the table lists; for screen readers. */
  label: string;
  /** Dimmed while the next rows are on their way: the old ones stay readable. */
  busy?: boolean | undefined;
  /** The height of every row, skeletons included, in CSS units. */
  rowHeight?: string | undefined;
  /**
   * For many columns: where they do not fit side by side, each row becomes a block of labelled
   * cells, so many to a line. The header stays in sight while one scrolls.
   */
  cellsPerLine?: number | undefined;
  /** How many rows there are, where only some of them are in the table at a time. */
  rowCount?: number | undefined;
  /** The margin of the first column has room for a checkbox. */
  selectable?: boolean | undefined;
  /** A thead of Th or SortTh, and a tbody of tr with Td. */
  children: ReactNode;
}

export function Table({
  label,
  busy = false,
  rowHeight,
  cellsPerLine,
  rowCount,
  selectable = false,
  children,
}: TableProps) {
  const style: CSSProperties & Record<`--${string}`, string | undefined> = {
    '--row-height': rowHeight,
    '--cells-per-line': cellsPerLine?.toString(),
  };
  return (
    <div className="table-box">
      <table
        aria-label={label}
        aria-busy={busy}
        // The header counts too.
        aria-rowcount={rowCount === undefined ? undefined : rowCount + 1}
        data-wide={cellsPerLine === undefined ? undefined : ''}
        data-selectable={selectable ? '' : undefined}
        style={style}
        className="data-table"
      >
        {children}
      </table>
    </div>
  );
}
