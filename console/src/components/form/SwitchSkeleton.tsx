import { cx } from '../../ui/cx.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';

/** The boxes of a switch with a description. */
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
