import { Card } from '../../ui/Card.tsx';
import { CardFooter } from '../../ui/CardFooter.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

const CONTROL = 'var(--control-height)';

/** Line for line the boxes of a PlanCard with a two-line description. */
export function PlanCardSkeleton() {
  return (
    <Card as="li" aria-hidden="true" className="flex flex-col">
      <div className="px-5 pt-5 pb-4">
        <div className="flex justify-between">
          <Skeleton round width="4.5rem" height="1.375rem" />
          <Skeleton round width="4.25rem" height="1.375rem" />
        </div>
        <div className="mt-3 text-lg">
          <Skeleton width="8rem" />
        </div>
        <div className="mt-1 text-sm">
          <Skeleton width="90%" />
          <br />
          <Skeleton width="40%" />
        </div>
        <div className="mt-3 border-b border-border pb-4 text-[1.375rem] leading-[1.5]">
          <Skeleton width="11rem" />
        </div>
        <div className="mt-4 grid gap-x-4 gap-y-1.5 text-sm @xl:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]">
          {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => (
            <div key={key}>
              <Skeleton />
            </div>
          ))}
        </div>
      </div>
      <CardFooter>
        <Skeleton width="3.25rem" height={CONTROL} />
        <Skeleton width="6rem" height={CONTROL} />
        <Skeleton width="3.75rem" height={CONTROL} className="ms-auto" />
      </CardFooter>
    </Card>
  );
}
