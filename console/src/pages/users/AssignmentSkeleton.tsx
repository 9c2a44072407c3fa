import { DescriptionItem } from '../../ui/DescriptionItem.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { DATE_TIME_WIDTH } from '../../ui/time-width.ts';

/** One assignment, before it is known whether there is any. */
export function AssignmentSkeleton() {
  return (
    <div aria-hidden="true" className="rounded-lg border border-border">
      <div className="flex items-center gap-3 border-b border-border px-4 py-3">
        <Skeleton width="8rem" />
        <Skeleton round width="5rem" height="1.375rem" className="ms-auto" />
      </div>
      <DescriptionList minColumn={DATE_TIME_WIDTH} className="p-4">
        <DescriptionItem label="Activated At">
          <Skeleton width="9rem" />
        </DescriptionItem>
        <DescriptionItem label="Expires At">
          <Skeleton width="9rem" />
        </DescriptionItem>
      </DescriptionList>
    </div>
  );
}
