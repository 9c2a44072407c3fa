import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';

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
