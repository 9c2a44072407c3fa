import { Card } from '../../console/src/ui/Card.tsx';
import { CardBody } from '../../console/src/ui/CardBody.tsx';
import { CardHeader } from '../../console/src/ui/CardHeader.tsx';
import { Skeleton } from '../../console/src/ui/Skeleton.tsx';
import { Columns } from './parts/Columns.tsx';
import { Frame } from './parts/Frame.tsx';
import { PlanSkeleton } from './plan/PlanSkeleton.tsx';
import { PostRowsSkeleton } from './posts/PostRowsSkeleton.tsx';

/** The boxes of the page, before it is known whose it is. */
export function HomeSkeleton() {
  return (
    <Frame wide menu={<Skeleton round width="1.875rem" height="1.875rem" />}>
      <Columns
        main={
          <>
            <Card as="div">
              <CardHeader title="New post" className="min-h-14" />
              <CardBody className="flex flex-col gap-4">
                <Skeleton height="10rem" className="rounded" />
                <Skeleton height="4.75rem" width="60%" className="rounded" />
                <Skeleton
                  height="var(--control-height-lg)"
                  width="7rem"
                  className="self-end rounded"
                />
              </CardBody>
            </Card>
            <Card as="div">
              <CardHeader title="Your posts" />
              <PostRowsSkeleton />
            </Card>
          </>
        }
        side={<PlanSkeleton />}
      />
    </Frame>
  );
}
