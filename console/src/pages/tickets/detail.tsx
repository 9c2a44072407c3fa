import { Copy } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
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
import { useNow } from '@meridian/ui/DataAge.tsx';
import { DescriptionItem, DescriptionList } from '@meridian/ui/DescriptionList.tsx';
import { copyText, Mono } from '@meridian/ui/Mono.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { VisuallyHidden } from '@meridian/ui/Table.tsx';
import { DATE_TIME_WIDTH, Time } from '@meridian/ui/Time.tsx';
import { isNotFound, messageOfMissing } from '@meridian/ui/api/errors.ts';
import { useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import { readOutcome } from '@meridian/ui/api/outcome.ts';
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
import { TicketLimits } from './limits.tsx';
import { Issuer, planNameOf, ticketsPageAt, usageOf } from './ticket.tsx';

export function loader({ id }: LoaderArgs): void {
  prefetch(ticketGet, { params: { id } });
}

export function Component() {
  const { ticketId = '' } = useParams();
  const now = useNow();
  const query = useEndpointQuery(ticketGet, { params: { id: ticketId } });
  const { data } = query;
  const failure = <LoadError className="mb-4" query={query} failed={TICKET_MESSAGES.loadFailed} />;
  if (data === undefined && query.error !== null) {
    const isUnknown = isNotFound(query.error);
    return (
      <>
        <PageTitle
          title={
            isUnknown
              ? messageOfMissing(query.error, TICKET_MESSAGES.notFound, TICKET_MESSAGES.loadFailed)
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
  const ticket = data?.ticket;
  return (
    <>
      {ticket === undefined ? <HeaderSkeleton /> : <TicketHeader ticket={ticket} now={now} />}
      {failure}
      {/* The key replaces the skeleton as a whole. */}
      <div key={data === undefined ? 'skeleton' : 'ticket'} className="flex flex-col gap-4">
        <div className="grid items-start gap-4 @3xl:grid-cols-[minmax(0,1fr)_20.5rem]">
          <div className="min-w-0 @3xl:col-start-2">
            <TicketInformation ticket={ticket} />
          </div>
          <div className="min-w-0 @3xl:col-start-1 @3xl:row-start-1">
            <TicketLimits ticket={ticket} />
          </div>
        </div>
        {data === undefined ? (
          <Card as="div" className="h-20 p-5">
            <Skeleton width="7rem" />
          </Card>
        ) : (
          <>
            <TicketRevokeCard ticket={data.ticket} now={now} />
            <TicketAssignments {...data} />
            <HistoryCard key={ticketId} entity="ticket" entityId={ticketId} />
          </>
        )}
      </div>
    </>
  );
}

function HeaderSkeleton() {
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
    </>
  );
}

function TicketHeader({ ticket, now }: { ticket: Ticket; now: Date }) {
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
          Grants <SafeText>{planNameOf(ticket)}</SafeText> for {ticket.validDays} days
        </>
      }
      actions={
        <>
          <StatusBadge status={ticketStatusAt(ticket, now)} />
          <CopyCode code={ticket.code} />
        </>
      }
    />
  );
}

/** Only Meridian has pages of tickets, and with them neighbours. */
const TICKETS: NeighbourList<typeof ticketList> = {
  endpoint: ticketList,
  path: paths.tickets,
  pathOf: paths.ticket,
  argsAt: ticketsPageAt,
  pageOf: ({ tickets, cursors }) => ({ ids: tickets.map(({ id }) => id), cursors }),
};

function CopyCode({ code }: { code: string }) {
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

function TicketInformation({ ticket }: { ticket: Ticket | undefined }) {
  return (
    <Card aria-labelledby="ticket-information">
      <CardHeader title="Information" titleId="ticket-information" />
      <CardBody>
        {/* A time takes a column: in the narrow card beside the limits there is one. */}
        <DescriptionList minColumn={DATE_TIME_WIDTH}>
          {INFORMATION.map(({ label, value }) => (
            <DescriptionItem key={label} label={label} wide={label === 'Memo'}>
              {ticket ? value(ticket) : <Skeleton width="8rem" />}
            </DescriptionItem>
          ))}
        </DescriptionList>
      </CardBody>
    </Card>
  );
}

const INFORMATION: readonly { label: string; value: (ticket: Ticket) => ReactNode }[] = [
  {
    label: 'Plan',
    value: (ticket) => (
      <span className="flex flex-wrap items-center gap-2">
        <AppLink
          to={paths.planEdit(ticket.planId)}
          className="-my-1 rounded-sm py-1 text-accent-text hover:underline"
        >
          <SafeText>{planNameOf(ticket)}</SafeText>
        </AppLink>
        {ticket.plan.tier !== '' && <TierBadge tier={ticket.plan.tier} />}
      </span>
    ),
  },
  { label: 'Issuer', value: ({ issuer }) => <Issuer issuer={issuer} /> },
  { label: 'Usage', value: usageOf },
  { label: 'Valid Period', value: ({ validDays }) => `${validDays} days from activation` },
  { label: 'Issued At', value: ({ issuedAt }) => <Time value={issuedAt} /> },
  {
    label: 'Redemption Deadline',
    value: ({ redemptionDeadline }) => <Time value={redemptionDeadline} fallback="N/A" />,
  },
  { label: 'Last Updated', value: ({ updatedAt }) => <Time value={updatedAt} /> },
  {
    label: 'Memo',
    value: ({ memo }) =>
      memo ? (
        <span dir="auto" className="block whitespace-pre-wrap">
          <SafeText>{memo}</SafeText>
        </span>
      ) : (
        NOTHING
      ),
  },
];

function TicketRevokeCard({ ticket, now }: { ticket: Ticket; now: Date }) {
  const revoke = useEndpointMutation(ticketRevoke, { invalidates: [ticketGet, ticketList] });
  const outcome = useRef<HTMLDivElement>(null);
  const params = { id: ticket.id };
  const status = ticketStatusAt(ticket, now);
  // An unknown status is written as the server writes it.
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
      run: (reason) => revoke.mutateAsync({ params, reason }),
      readOutcome: () =>
        readOutcome(ticketGet, { params }, (now) => now.ticket.status === 'REVOKED'),
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
