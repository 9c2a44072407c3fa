import { Skeleton } from '../../ui/Skeleton.tsx';

const ROWS = ['80%', '65%', '75%'] as const;

/** The lines of a few posts, before it is known which. */
export function RecentPostRows() {
  return (
    <div aria-hidden="true" className="divide-y divide-border">
      {ROWS.map((width) => (
        <div key={width} className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-5 py-3">
          <div className="min-w-0 flex-1 basis-72">
            <Skeleton width={width} />
          </div>
          <Skeleton round width="5rem" height="1.375rem" />
          <Skeleton width="9rem" />
        </div>
      ))}
    </div>
  );
}
