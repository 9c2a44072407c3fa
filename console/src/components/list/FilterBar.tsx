import type { ReactNode } from 'react';

/** The filters over a list. The key `/` leads here. */
export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <search
      aria-label="Filters"
      data-filters=""
      data-print="hide"
      className="flex flex-wrap items-end gap-2.5 border-b border-border px-5 py-3.5"
    >
      {children}
    </search>
  );
}
