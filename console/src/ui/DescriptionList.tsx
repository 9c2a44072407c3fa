import type { ReactNode } from 'react';
import { cx } from './cx.ts';

export interface DescriptionListProps {
  /** DescriptionItem elements. */
  children: ReactNode;
  /** The least width of a column; as many stand side by side as fit. */
  minColumn?: string | undefined;
  /** Closer together, for DescriptionItems on one line each. */
  dense?: boolean | undefined;
  className?: string | undefined;
}

export function DescriptionList({
  children,
  minColumn = '9rem',
  dense = false,
  className,
}: DescriptionListProps) {
  return (
    <dl
      style={{ gridTemplateColumns: `repeat(auto-fill, minmax(min(100%, ${minColumn}), 1fr))` }}
      className={cx('grid', dense ? 'gap-x-4 gap-y-1.5' : 'gap-x-6 gap-y-4', className)}
    >
      {children}
    </dl>
  );
}
