import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ComponentProps, CSSProperties, ReactNode } from 'react';
import { Skeleton } from './placeholders.tsx';

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

export interface ThProps {
  children: ReactNode;
  /** Its words, where it holds a control as well: they are read with every cell of the column. */
  label?: string | undefined;
  align?: 'start' | 'end' | undefined;
  /** Any CSS width. Columns without one share what is left. */
  width?: string | undefined;
  /** Left out where there is no room for it. */
  roomy?: boolean | undefined;
}

export function Th({ children, label, align, width, roomy = false }: ThProps) {
  return (
    <th
      scope="col"
      aria-label={label}
      data-align={align}
      data-roomy={roomy ? '' : undefined}
      style={{ width }}
    >
      {children}
    </th>
  );
}

export type SortDirection = 'ascending' | 'descending';

export interface SortThProps {
  children: ReactNode;
  /** The direction in force, undefined when another column sorts. */
  direction: SortDirection | undefined;
  onSort: () => void;
  align?: 'start' | 'end' | undefined;
  width?: string | undefined;
}

export function SortTh({ children, direction, onSort, align, width }: SortThProps) {
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      data-sortable=""
      data-align={align}
      aria-sort={direction ?? 'none'}
      style={{ width }}
    >
      <button type="button" className="sort-button" onClick={onSort}>
        {children}
        <Arrow aria-hidden="true" className="size-3.5" />
      </button>
    </th>
  );
}

export interface TdProps extends Omit<ComponentProps<'td'>, 'align'> {
  /** The column's name, shown beside the value where rows are stacked. */
  label?: string | undefined;
  align?: 'start' | 'end' | undefined;
  /** Takes two places where a row is a block of cells, some to a line. */
  wide?: boolean | undefined;
  /** Stands at the end of the first line where rows are narrow. */
  corner?: boolean | undefined;
  /** Left out where there is no room for it. */
  roomy?: boolean | undefined;
  /** Stands in the margin, beside the content. */
  box?: ReactNode;
}

export function Td({
  label,
  align,
  wide = false,
  corner = false,
  roomy = false,
  box,
  children,
  ...rest
}: TdProps) {
  return (
    <td
      {...rest}
      data-label={label}
      data-align={align}
      data-span={wide ? '' : undefined}
      data-corner={corner ? '' : undefined}
      data-roomy={roomy ? '' : undefined}
    >
      {box}
      {/* One child, as a narrow cell is a label and a value. */}
      <div className="min-w-0">{children}</div>
    </td>
  );
}

export interface SkeletonColumn {
  /** As given to the Td of the real rows, so that stacked rows are as high. */
  label?: string | undefined;
  width: string;
  align?: 'start' | 'end' | undefined;
  wide?: boolean | undefined;
  corner?: boolean | undefined;
  roomy?: boolean | undefined;
}

/** Rows in the exact boxes of what comes. The table around them says that it is loading. */
export function SkeletonRows({ rows, columns }: { rows: number; columns: SkeletonColumn[] }) {
  return Array.from({ length: rows }, (_, row) => (
    // Rows have no identity of their own and never move.
    // oxlint-disable-next-line react/no-array-index-key
    <tr key={row} aria-hidden="true">
      {columns.map(({ label, width, align, wide, corner, roomy }, column) => (
        // oxlint-disable-next-line react/no-array-index-key
        <Td key={column} label={label} align={align} wide={wide} corner={corner} roomy={roomy}>
          <Skeleton width={width} />
        </Td>
      ))}
    </tr>
  ));
}

/** For screen readers only. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}
