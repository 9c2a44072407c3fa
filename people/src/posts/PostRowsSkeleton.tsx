import { Skeleton } from '../../../console/src/ui/Skeleton.tsx';

export function PostRowsSkeleton() {
  return (
    <div aria-live="polite" className="border-t border-border">
      <span className="sr-only">Loading your posts...</span>
      {[0, 1].map((row) => (
        <div key={row} className="flex flex-col gap-3 border-b border-border px-5 py-4">
          <Skeleton width="12rem" />
          <Skeleton />
          <Skeleton width="60%" />
        </div>
      ))}
    </div>
  );
}
