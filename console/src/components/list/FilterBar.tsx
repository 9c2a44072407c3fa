import type { ReactNode } from 'react';

export interface FilterBarProps {
  children: ReactNode;
  /** How many rows they leave: a ListCount. */
  count?: ReactNode;
}

/** The filters over a list. The key `/` leads here. */
export function FilterBar({ children, count }: FilterBarProps) {
  return (
    <div className="flex flex-wrap items-end gap-2.5 border-b border-border px-5 py-3.5">
      <search
        aria-label="Filters"
        data-filters=""
        data-print="hide"
        className="flex min-w-0 flex-1 flex-wrap items-end gap-2.5 max-xl:basis-full"
      >
        {children}
      </search>
      {count}
    </div>
  );
}
