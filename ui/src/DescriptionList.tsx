import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { TimeStopContext } from './Time.tsx';
import { cx } from './classes.ts';

interface DescriptionListProps {
  children: ReactNode;
  /** The least width of a column; as many stand side by side as fit. */
  minColumn?: string | undefined;
  dense?: boolean | undefined;
  className?: string | undefined;
}

export function DescriptionList(props: DescriptionListProps) {
  const { children, minColumn = '9rem', dense = false, className } = props;
  return (
    <dl
      style={{ gridTemplateColumns: `repeat(auto-fill, minmax(min(100%, ${minColumn}), 1fr))` }}
      className={cx('grid', dense ? 'gap-x-4 gap-y-1.5' : 'gap-x-6 gap-y-4', className)}
    >
      {children}
    </dl>
  );
}

interface DescriptionItemProps {
  label: ReactNode;
  children: ReactNode;
  wide?: boolean | undefined;
  first?: boolean | undefined;
  /** Label left, value right, on one line: for grids of many short numbers. */
  inline?: boolean | undefined;
}

export function DescriptionItem(props: DescriptionItemProps) {
  const { label, children, wide = false, first = false, inline = false } = props;
  return (
    <div
      className={cx(
        'min-w-0',
        wide && 'col-span-full',
        first && 'col-start-1',
        inline && 'flex flex-wrap items-baseline justify-between gap-x-3',
      )}
    >
      <dt className="text-sm text-muted">{label}</dt>
      <dd className={inline ? 'min-w-0 text-sm font-medium tabular-nums' : 'mt-0.5 wrap-anywhere'}>
        <TimeStopContext value={true}>{children}</TimeStopContext>
      </dd>
    </div>
  );
}

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
