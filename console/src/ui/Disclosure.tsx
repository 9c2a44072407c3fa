import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

/** The last part of a card, folded until its line is pressed. */
export function Disclosure({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  return (
    <details className="group border-t border-border">
      <summary className="flex list-none items-center gap-1.5 rounded-lg px-5 py-3 text-sm font-medium text-muted -outline-offset-4! hover:text-text">
        <ChevronRight
          aria-hidden="true"
          className="size-4 shrink-0 transition-transform group-open:rotate-90"
        />
        {summary}
      </summary>
      <div className="px-5 pb-5">{children}</div>
    </details>
  );
}
