import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { TimeStopContext } from './time-stop.ts';

export interface DescriptionItemProps {
  label: ReactNode;
  children: ReactNode;
  /** Takes a line of its own. */
  wide?: boolean | undefined;
  /** Begins a line, so that what belongs together stands together. */
  first?: boolean | undefined;
  /** Label left, value right, on one line: for grids of many short numbers. */
  inline?: boolean | undefined;
}

export function DescriptionItem({
  label,
  children,
  wide = false,
  first = false,
  inline = false,
}: DescriptionItemProps) {
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
