import type { ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';

export interface FilterBarProps {
  children: ReactNode;
  /** How many rows they leave: a ListCount. */
  count?: ReactNode;
  actions?: ReactNode;
}

/** The filters over a list. The key `/` leads here. */
export function FilterBar({ children, count, actions }: FilterBarProps) {
  return (
    <div className="flex flex-wrap items-end gap-2.5 border-b border-border px-5 py-3.5">
      <search
        aria-label="Filters"
        data-filters=""
        data-print="hide"
        className={cx(
          'flex min-w-0 flex-wrap items-end gap-2.5',
          count === undefined ? 'flex-auto' : 'flex-1 @max-4xl:basis-full',
        )}
      >
        {children}
      </search>
      {/* Beside the first line of the filters, however many they are. */}
      <div
        className={cx(
          'flex flex-wrap items-center justify-between gap-2.5 @4xl:min-h-control @4xl:self-start',
          count === undefined ? 'ms-auto' : '@max-4xl:basis-full',
        )}
      >
        {count}
        {actions !== undefined && <div data-print="hide">{actions}</div>}
      </div>
    </div>
  );
}
