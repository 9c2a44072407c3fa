import { Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import { useParams } from 'react-router';
import { ERRORS } from '@meridian/contract/errors';
import {
  COPY_TOAST_MS,
  type Ticket,
  TICKET_MESSAGES,
  ticketCan,
  ticketGet,
  ticketList,
  ticketRevoke,
  ticketStatusAt,
} from '@meridian/contract/tickets';
import { Button } from '@meridian/ui/Button.tsx';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { copyText, Mono } from '@meridian/ui/Mono.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { VisuallyHidden } from '@meridian/ui/Table.tsx';
import { DATE_TIME_WIDTH, Time } from '@meridian/ui/Time.tsx';
import { isNotFound, messageOfMissing } from '@meridian/ui/api/errors.ts';
import { useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import { type LoaderArgs, prefetch, useEndpointQuery } from '@meridian/ui/api/query.ts';
import { confirm } from '@meridian/ui/dialog-host.tsx';
import { LoadError } from '@meridian/ui/failures.tsx';
import { NOTHING } from '@meridian/ui/format.ts';
import { keepPlace } from '@meridian/ui/hooks.ts';
import { AppLink, LinkButton } from '@meridian/ui/links.tsx';
import { EmptyState, LoadingNote, Skeleton } from '@meridian/ui/placeholders.tsx';
import { showToast } from '@meridian/ui/toasts.ts';
import { HistoryCard } from '../../components/HistoryCard.tsx';
import { NeighbourLinks, type NeighbourList } from '../../components/NeighbourLinks.tsx';
import { StatusBadge, statusLabel, TierBadge } from '../../components/badges.tsx';
import { Consequence } from '../../components/consequences.tsx';
import { BackLink } from '../../components/visits.tsx';
import { paths } from '../../paths.ts';
import { TicketAssignments } from './assignments.tsx';
import { compareLimits, TicketLimits } from './limits.tsx';
import { daysText, Issuer, planNameOf, ticketsPageAt, usageOf } from './ticket.tsx';
import { readOutcome } from '@meridian/ui/api/outcome.ts';
import { useNow } from '@meridian/ui/DataAge.tsx';
import { DescriptionItem, DescriptionList } from '@meridian/ui/DescriptionList.tsx';

export function loader({ id }: LoaderArgs): void {
  prefetch(ticketGet, { params: { id } });
}

export function Component() {
  const { ticketId = '' } = useParams();
  const now = useNow();
  const query = useEndpointQuery(ticketGet, { params: { id: ticketId } });
  const { data, error } = query;
  const failure = <LoadError className="mb-4" query={query} failed={TICKET_MESSAGES.loadFailed} />;
  if (data === undefined) {
    if (error === null) return <TicketSkeleton />;
    const isUnknown = isNotFound(error);
    return (
      <>
        <PageTitle
          title={
            isUnknown
              ? messageOfMissing(error, TICKET_MESSAGES.notFound, TICKET_MESSAGES.loadFailed)
              : 'Ticket'
          }
          back={<BackLink to={paths.tickets}>Back to Tickets</BackLink>}
        />
        {isUnknown ? (
          <Card as="div">
            <EmptyState action={<LinkButton to={paths.tickets}>See all tickets</LinkButton>}>
              No ticket has this ID.
            </EmptyState>
          </Card>
        ) : (
          failure
        )}
      </>
    );
  }
  const { ticket, assignments } = data;
  const status = ticketStatusAt(ticket, now);
  return (
    <>
      <TicketHeader ticket={ticket} status={status} />
      {failure}
      <div className="flex flex-col gap-4">
        <div className="grid items-start gap-4 @3xl:grid-cols-[minmax(0,1fr)_20.5rem]">
          <div className="min-w-0 @3xl:col-start-2">
            <TicketInformation ticket={ticket} />
          </div>
          <div className="min-w-0 @3xl:col-start-1 @3xl:row-start-1">
            <TicketLimits ticket={ticket} />
          </div>
        </div>
        <TicketRevokeCard ticket={ticket} status={status} now={now} />
        <TicketAssignments ticket={ticket} assignments={assignments} />
        <HistoryCard key={ticket.id} entity="ticket" entityId={ticket.id} />
      </div>
    </>
  );
}

/** The pages of Meridian: before another service there are no neighbours. */
const TICKETS: NeighbourList<typeof ticketList> = {
  endpoint: ticketList,
  path: paths.tickets,
  pathOf: paths.ticket,
  argsAt: ticketsPageAt,
  pageOf: ({ tickets, cursors }) => ({ ids: tickets.map(({ id }) => id), cursors }),
};

interface TicketHeaderProps {
  ticket: Ticket;
  /** As of now. */
  status: string;
}

export function TicketHeader({ ticket, status }: TicketHeaderProps) {
  return (
    <PageTitle
      back={
        <>
          <BackLink to={paths.tickets}>Back to Tickets</BackLink>
          <NeighbourLinks list={TICKETS} id={ticket.id} />
        </>
      }
      title={<Mono value={ticket.code} />}
      tabTitle={ticket.code}
      context={
        <>
          Grants <SafeText>{planNameOf(ticket)}</SafeText>
          {ticket.validDays !== undefined && ` for ${daysText(ticket.validDays)}`}
        </>
      }
      actions={
        <>
          <StatusBadge status={status} />
          <CopyCode code={ticket.code} />
        </>
      }
    />
  );
}

/** The code is what is passed on to people: copying it is the first thing one comes for. */
export function CopyCode({ code }: { code: string }) {
  const [hasFailed, setFailed] = useState(false);

  async function copy() {
    const isCopied = await copyText(code);
    setFailed(!isCopied);
    if (isCopied) showToast({ message: TICKET_MESSAGES.copied(code), durationMs: COPY_TOAST_MS });
  }

  return (
    <>
      {hasFailed && (
        <span role="alert" className="text-sm text-danger">
          Couldn't copy the code. Select it and copy it yourself.
        </span>
      )}
      <Button
        icon={<Copy aria-hidden="true" className="size-4 text-muted" />}
        onClick={() => void copy()}
      >
        Copy coupon code
      </Button>
    </>
  );
}

export function TicketInformation({ ticket }: { ticket: Ticket }) {
  return (
    <Card aria-labelledby="ticket-information">
      <CardHeader title="Information" titleId="ticket-information" />
      <CardBody>
        {/* A time takes a column: in the narrow card beside the limits there is one. */}
        <DescriptionList minColumn={DATE_TIME_WIDTH}>
          <DescriptionItem label="Plan">
            <span className="flex flex-wrap items-center gap-2">
              <AppLink
                to={paths.planEdit(ticket.planId)}
                className="-my-1 rounded-sm py-1 text-accent-text hover:underline"
              >
                <SafeText>{planNameOf(ticket)}</SafeText>
              </AppLink>
              {ticket.plan.tier !== '' && <TierBadge tier={ticket.plan.tier} />}
            </span>
          </DescriptionItem>
          <DescriptionItem label="Issuer">
            <Issuer issuer={ticket.issuer} />
          </DescriptionItem>
          <DescriptionItem label="Usage">{usageOf(ticket)}</DescriptionItem>
          <DescriptionItem label="Valid Period">
            {daysText(ticket.validDays)} from activation
          </DescriptionItem>
          <DescriptionItem label="Issued At">
            <Time value={ticket.issuedAt} />
          </DescriptionItem>
          <DescriptionItem label="Redemption Deadline">
            <Time value={ticket.redemptionDeadline} fallback="N/A" />
          </DescriptionItem>
          <DescriptionItem label="Last Updated">
            <Time value={ticket.updatedAt} />
          </DescriptionItem>
          <DescriptionItem label="Memo" wide>
            {ticket.memo ? (
              <span dir="auto" className="block whitespace-pre-wrap">
                <SafeText>{ticket.memo}</SafeText>
              </span>
            ) : (
              NOTHING
            )}
          </DescriptionItem>
        </DescriptionList>
      </CardBody>
    </Card>
  );
}

interface TicketRevokeCardProps {
  ticket: Ticket;
  status: string;
  now: Date;
}

/** Taking a ticket back before it is redeemed; afterwards, why it can no longer be. */
export function TicketRevokeCard({ ticket, status, now }: TicketRevokeCardProps) {
  const revoke = useEndpointMutation(ticketRevoke, { invalidates: [ticketGet, ticketList] });
  const outcome = useRef<HTMLDivElement>(null);
  // An unknown status is named as it is.
  const word = statusLabel(status);
  const currentStatus = word && ` This one is ${word === status ? word : word.toLowerCase()}.`;
  const isPossible = ticketCan.revoke(ticket, now);

  async function ask() {
    const isDone = await confirm({
      title: 'Revoke Ticket',
      body: (
        <>
          <p>{TICKET_MESSAGES.confirmRevoke(ticket.code)}</p>
          <p className="mt-2">
            The code can no longer be redeemed for the <SafeText>{planNameOf(ticket)}</SafeText>{' '}
            plan. This action cannot be undone.
          </p>
          <Consequence of="ticketRevoke" id={ticket.id} />
        </>
      ),
      danger: true,
      busyLabel: 'Revoking...',
      failed: TICKET_MESSAGES.revokeFailed,
      takesReason: true,
      run: (reason) => revoke.mutateAsync({ params: { id: ticket.id }, reason }),
      readOutcome: () =>
        readOutcome(
          ticketGet,
          { params: { id: ticket.id } },
          (now) => now.ticket.status === 'REVOKED',
        ),
    });
    if (!isDone) return;
    showToast({ message: `Ticket revoked: ${ticket.code}` });
    keepPlace(outcome.current);
  }

  return (
    <Card aria-labelledby="ticket-revoke" className={isPossible ? 'border-danger-border' : ''}>
      <div ref={outcome} tabIndex={-1}>
        <CardHeader
          title="Revoke Ticket"
          titleId="ticket-revoke"
          className="pb-4!"
          description={
            isPossible
              ? 'The code can no longer be redeemed. This action cannot be undone.'
              : `${ERRORS.ticket_not_revocable.message}.${currentStatus}`
          }
          actions={
            isPossible && (
              <Button variant="danger" onClick={() => void ask()}>
                Revoke Ticket
              </Button>
            )
          }
        />
      </div>
    </Card>
  );
}

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
