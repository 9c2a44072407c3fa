import { LoadingNote } from '../../components/LoadingNote.tsx';
import { Card } from '../../ui/Card.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

/** The boxes of a post before it is there. */
export function PostSkeleton() {
  return (
    <>
      <LoadingNote />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Card as="div" className="h-72 p-5">
          <div className="flex items-center gap-3">
            <Skeleton width="2.5rem" height="2.5rem" />
            <Skeleton width="12rem" />
          </div>
          <div className="mt-5 flex flex-col gap-3">
            <Skeleton width="90%" />
            <Skeleton width="75%" />
          </div>
        </Card>
        <div className="flex flex-col gap-4">
          <Card as="div" className="h-80 p-5">
            <Skeleton width="6rem" />
          </Card>
          <Card as="div" className="h-44 p-5">
            <Skeleton width="8rem" />
          </Card>
        </div>
      </div>
    </>
  );
}
