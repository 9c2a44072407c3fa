import { TICKET_MESSAGES, ticketGet, ticketStatusAt } from '@meridian/contract/tickets';
import { useParams } from 'react-router';
import { isNotFound, messageOfMissing } from '../../api/api-error.ts';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { HistoryCard } from '../../components/audit/HistoryCard.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import { LinkButton } from '../../components/navigation/LinkButton.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { useNow } from '../../components/use-now.ts';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { TicketAssignments } from './TicketAssignments.tsx';
import { TicketHeader } from './TicketHeader.tsx';
import { TicketInformation } from './TicketInformation.tsx';
import { TicketLimits } from './TicketLimits.tsx';
import { TicketRevokeCard } from './TicketRevokeCard.tsx';
import { TicketSkeleton } from './TicketSkeleton.tsx';

export function TicketPage() {
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
