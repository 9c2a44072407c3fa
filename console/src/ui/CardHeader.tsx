import type { ReactNode } from 'react';
import { cx } from './cx.ts';

export interface CardHeaderProps {
  title: ReactNode;
  /** For aria-labelledby of the card. */
  titleId?: string | undefined;
  description?: ReactNode;
  actions?: ReactNode;
  /** The level of the heading: h2 unless the card lies within another. */
  level?: 2 | 3 | undefined;
  className?: string | undefined;
}

export function CardHeader({
  title,
  titleId,
  description,
  actions,
  level = 2,
  className,
}: CardHeaderProps) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <header className={cx('flex flex-wrap items-center gap-x-4 gap-y-2 px-5 pt-4 pb-3', className)}>
      {/* Actions take a line of their own rather than wrap a title; a description may wrap. */}
      <div className={cx('min-w-0 flex-1', description === undefined ? 'basis-auto' : 'basis-48')}>
        <Heading id={titleId} className="text-base leading-6 font-semibold">
          {title}
        </Heading>
        {description !== undefined && <p className="text-sm text-muted">{description}</p>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
