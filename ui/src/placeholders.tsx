import type { CSSProperties, ReactNode } from 'react';
import { Spinner } from './Button.tsx';
import { cx } from './classes.ts';

interface EmptyStateProps {
  children: ReactNode;
  icon?: ReactNode;
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

interface SkeletonProps {
  width?: CSSProperties['width'];
  height?: CSSProperties['height'];
  round?: boolean | undefined;
  className?: string | undefined;
}

export function Skeleton({ width, height = '0.75em', round = false, className }: SkeletonProps) {
  return (
    <span
      aria-hidden="true"
      style={{ width, height }}
      className={cx(
        'inline-block max-w-full bg-sunken align-middle forced-colors:border',
        round ? 'shrink-0 rounded-full' : 'rounded-sm',
        width === undefined && 'w-full',
        className,
      )}
    />
  );
}

interface FieldSkeletonProps {
  hint?: boolean;
  height?: string;
  className?: string;
}

export function FieldSkeleton({ hint = false, height, className }: FieldSkeletonProps) {
  return (
    <div aria-hidden="true" className={cx('min-w-0 text-sm', className)}>
      <div className="mb-1.5">
        <Skeleton width="6rem" />
      </div>
      <Skeleton height={height ?? 'var(--control-height)'} className="block rounded" />
      {hint && (
        <div className="mt-1.5">
          <Skeleton width="12rem" />
        </div>
      )}
    </div>
  );
}

export function SwitchSkeleton({ className }: { className?: string }) {
  return (
    <div
      aria-hidden="true"
      className={cx('flex min-w-0 items-start justify-between gap-4', className)}
    >
      <div className="min-w-0">
        <div className="text-base">
          <Skeleton width="6rem" />
        </div>
        <div className="text-sm">
          <Skeleton width="16rem" />
        </div>
      </div>
      <Skeleton round width="2.5rem" height="1.375rem" />
    </div>
  );
}

/** 'Loading...' in words, over skeletons: it takes no room of its own, so nothing moves after. */
export function LoadingNote({ children = 'Loading...' }: { children?: string }) {
  return (
    <output className="pointer-events-none relative z-1 block h-0 text-sm text-muted">
      <span className="absolute start-1/2 top-24 flex -translate-x-1/2 items-center gap-2 rounded-full border border-border bg-raised px-3.5 py-1.5 whitespace-nowrap shadow-pop">
        <Spinner className="size-3.5" />
        {children}
      </span>
    </output>
  );
}
