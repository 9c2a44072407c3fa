import type { CSSProperties } from 'react';
import { cx } from './cx.ts';

export interface SkeletonProps {
  /** Any CSS width; the whole box without one. */
  width?: CSSProperties['width'];
  height?: CSSProperties['height'];
  round?: boolean | undefined;
  className?: string | undefined;
}

/** Stands where something will be. Still, as nothing moves for its own sake. */
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
