import { LoadingNote } from '../../components/LoadingNote.tsx';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';

/** The boxes of a ticket before it is there. */
export function TicketSkeleton() {
  return (
    <>
      <PageTitle
        back={<BackLink to={paths.tickets}>Back to Tickets</BackLink>}
        tabTitle="Ticket"
        title={
          <>
            <VisuallyHidden>Ticket</VisuallyHidden>
            <Skeleton width="16rem" />
          </>
        }
        context={<Skeleton width="12rem" />}
      />
      <LoadingNote />
      <div className="flex flex-col gap-4">
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20.5rem]">
          <Card as="div" className="h-120 p-5 lg:col-start-2">
            <Skeleton width="6rem" />
          </Card>
          <Card as="div" className="h-132 p-5 lg:col-start-1 lg:row-start-1">
            <Skeleton width="6rem" />
          </Card>
        </div>
        <Card as="div" className="h-20 p-5">
          <Skeleton width="7rem" />
        </Card>
      </div>
    </>
  );
}
