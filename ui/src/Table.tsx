import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ComponentProps, CSSProperties, ReactNode } from 'react';
import { Skeleton } from './placeholders.tsx';

export interface TableProps {
  label: string;
  busy?: boolean | undefined;
  rowHeight?: string | undefined;
  /**
   * For many columns: where they do not fit side by side, each row becomes a block of labelled
   * cells, so many to a line. The header stays in sight while one scrolls.
   */
  cellsPerLine?: number | undefined;
  rowCount?: number | undefined;
  /** The margin of the first column has room for a checkbox. */
  selectable?: boolean | undefined;
  children: ReactNode;
}

export function Table(props: TableProps) {
  const { label, busy = false, rowHeight, cellsPerLine, rowCount, selectable, children } = props;
  const style: CSSProperties & Record<`--${string}`, string | undefined> = {
    '--row-height': rowHeight,
    '--cells-per-line': cellsPerLine?.toString(),
  };
  return (
    <div className="table-box">
      <table
        aria-label={label}
        aria-busy={busy}
        aria-rowcount={rowCount === undefined ? undefined : rowCount + 1}
        data-wide={mark(cellsPerLine !== undefined)}
        data-selectable={mark(selectable)}
        style={style}
        className="data-table"
      >
        {children}
      </table>
    </div>
  );
}

const mark = (isOn: boolean | undefined) => (isOn === true ? '' : undefined);

interface ThProps {
  children: ReactNode;
  /** Its words, where it holds a control as well: they are read with every cell of the column. */
  label?: string | undefined;
  align?: 'start' | 'end' | undefined;
  width?: string | undefined;
  roomy?: boolean | undefined;
}

export function Th({ children, label, align, width, roomy }: ThProps) {
  return (
    <th
      scope="col"
      aria-label={label}
      data-align={align}
      data-roomy={mark(roomy)}
      style={{ width }}
    >
      {children}
    </th>
  );
}

interface SortThProps extends Pick<ThProps, 'children' | 'align' | 'width'> {
  direction: 'ascending' | 'descending' | undefined;
  onSort: () => void;
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

export interface CellLook {
  align?: 'start' | 'end' | undefined;
  /** Takes two places where a row is a block of cells, some to a line. */
  wide?: boolean | undefined;
  /** Stands at the end of the first line, without its label, where rows are narrow. */
  corner?: boolean | undefined;
  /** Left out where the columns of the table would be too narrow with it. */
  roomy?: boolean | undefined;
}

interface TdProps extends Omit<ComponentProps<'td'>, 'align'>, CellLook {
  label?: string | undefined;
  box?: ReactNode;
}

export function Td({ label, align, wide, corner, roomy, box, children, ...rest }: TdProps) {
  return (
    <td
      {...rest}
      data-label={label}
      data-align={align}
      data-span={mark(wide)}
      data-corner={mark(corner)}
      data-roomy={mark(roomy)}
    >
      {box}
      {/* One child, as a narrow cell is a label and a value. */}
      <div className="min-w-0">{children}</div>
    </td>
  );
}

interface SkeletonColumn extends CellLook {
  /** As given to the Td of the real rows, so that stacked rows are as high. */
  label: string | undefined;
  width: string;
}

export function SkeletonRows({ rows, columns }: { rows: number; columns: SkeletonColumn[] }) {
  return Array.from({ length: rows }, (_, row) => (
    // Rows have no identity of their own and never move.
    // oxlint-disable-next-line react/no-array-index-key
    <tr key={row} aria-hidden="true">
      {columns.map(({ width, ...cell }, column) => (
        // oxlint-disable-next-line react/no-array-index-key
        <Td key={column} {...cell}>
          <Skeleton width={width} />
        </Td>
      ))}
    </tr>
  ));
}

export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}
