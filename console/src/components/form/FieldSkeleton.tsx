import { cx } from '../../ui/cx.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';

interface FieldSkeletonProps {
  /** There will be a line under it. */
  hint?: boolean;
  height?: string;
  className?: string;
}

/** The boxes of a field: label, control, hint. */
export function FieldSkeleton({
  hint = false,
  height = 'var(--control-height)',
  className,
}: FieldSkeletonProps) {
  return (
    <div aria-hidden="true" className={cx('min-w-0 text-sm', className)}>
      <div className="mb-1.5">
        <Skeleton width="6rem" />
      </div>
      <Skeleton height={height} className="block rounded" />
      {hint && (
        <div className="mt-1.5">
          <Skeleton width="12rem" />
        </div>
      )}
    </div>
  );
}
