import type { CSSProperties, ReactNode } from 'react';
import { cx } from './cx.ts';

export interface TableProps {
  /** What the table lists; for screen readers. */
  label: string;
  /** Dimmed while the next rows are on their way: the old ones stay readable. */
  busy?: boolean | undefined;
  /** The height of every row, skeletons included, in CSS units. */
  rowHeight?: string | undefined;
  /** Under this width the table scrolls inside its box, until it is so narrow that it stacks. */
  minWidth?: string | undefined;
  /**
   * For many columns: where they do not fit side by side, each row becomes a block of labelled
   * cells, so many to a line. The header stays in sight while one scrolls.
   */
  cellsPerLine?: number | undefined;
  /** How many rows there are, where only some of them are in the table at a time. */
  rowCount?: number | undefined;
  /** The margin of the first column has room for a checkbox. */
  selectable?: boolean | undefined;
  className?: string | undefined;
  /** A thead of Th or SortTh, and a tbody of tr with Td. */
  children: ReactNode;
}

export function Table({
  label,
  busy = false,
  rowHeight,
  minWidth,
  cellsPerLine,
  rowCount,
  selectable = false,
  className,
  children,
}: TableProps) {
  const style: CSSProperties & Record<`--${string}`, string | undefined> = {
    '--row-height': rowHeight,
    '--table-min-width': minWidth,
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
        className={cx('data-table', className)}
      >
        {children}
      </table>
    </div>
  );
}
