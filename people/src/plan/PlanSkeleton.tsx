import { Card } from '../../../console/src/ui/Card.tsx';
import { CardBody } from '../../../console/src/ui/CardBody.tsx';
import { CardHeader } from '../../../console/src/ui/CardHeader.tsx';
import { Skeleton } from '../../../console/src/ui/Skeleton.tsx';

const BARS = ['posts', 'waiting', 'storage'];

/** Only beside the posts: below them it would move as they arrive. */
export function PlanSkeleton() {
  return (
    <Card as="div" className="@max-4xl:hidden">
      <CardHeader title="Your plan" />
      <CardBody className="flex flex-col gap-6">
        {BARS.map((bar) => (
          <Skeleton key={bar} height="2rem" className="rounded" />
        ))}
      </CardBody>
    </Card>
  );
}
