import { LoadingNote } from '../../components/LoadingNote.tsx';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { DescriptionItem } from '../../ui/DescriptionItem.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import { compareLimits } from './ticket-limits.ts';
import { DATE_TIME_WIDTH } from '../../ui/time-width.ts';

const INFORMATION = [
  'Plan',
  'Issuer',
  'Usage',
  'Valid Period',
  'Issued At',
  'Redemption Deadline',
  'Last Updated',
  'Memo',
] as const;

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
        <div className="grid items-start gap-4 @3xl:grid-cols-[minmax(0,1fr)_20.5rem]">
          <Card as="div" className="@3xl:col-start-2">
            <CardHeader title="Information" />
            <CardBody>
              <DescriptionList minColumn={DATE_TIME_WIDTH}>
                {INFORMATION.map((label) => (
                  <DescriptionItem key={label} label={label}>
                    <Skeleton width="8rem" />
                  </DescriptionItem>
                ))}
              </DescriptionList>
            </CardBody>
          </Card>
          <Card as="div" className="@3xl:col-start-1 @3xl:row-start-1">
            <CardHeader title="Plan Limits" />
            <CardBody className="@container">
              <div className="grid items-start gap-x-8 gap-y-6 @xl:grid-cols-2">
                {compareLimits({}, null).map(({ title, limits }) => (
                  <LimitsSkeleton
                    key={title}
                    title={title}
                    names={limits.map(({ name }) => name)}
                  />
                ))}
              </div>
            </CardBody>
          </Card>
        </div>
        <Card as="div" className="h-20 p-5">
          <Skeleton width="7rem" />
        </Card>
      </div>
    </>
  );
}

function LimitsSkeleton({ title, names }: { title: string; names: readonly string[] }) {
  return (
    <div>
      <h3 className="mb-2 text-base font-semibold">{title}</h3>
      <div aria-hidden="true" className="pt-5 text-sm">
        {names.map((name) => (
          <div
            key={name}
            className="flex h-[2.03125rem] items-center justify-between border-t border-border"
          >
            <Skeleton width="40%" />
            <Skeleton width="4rem" />
          </div>
        ))}
      </div>
    </div>
  );
}
