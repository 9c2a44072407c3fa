import type { ReactNode } from 'react';
import { cx } from './cx.ts';

export interface EmptyStateProps {
  /** One sentence. */
  children: ReactNode;
  icon?: ReactNode;
  /** The next useful step. */
  action?: ReactNode;
  className?: string | undefined;
}

export function EmptyState({ children, icon, action, className }: EmptyStateProps) {
  return (
    <div
      className={cx(
        'flex flex-col items-center justify-center gap-3 px-6 py-12 text-center',
        className,
      )}
    >
      {icon !== undefined && (
        <span className="flex size-10 items-center justify-center rounded-full bg-sunken text-muted [&_svg]:size-5">
          {icon}
        </span>
      )}
      <p className="max-w-prose text-base text-balance text-muted">{children}</p>
      {action}
    </div>
  );
}
