import { type Ticket, ticketList } from '@meridian/contract/tickets';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import { NeighbourLinks, type NeighbourList } from '../../components/navigation/NeighbourLinks.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { paths } from '../../paths.ts';
import { Mono } from '../../ui/Mono.tsx';
import { SafeText } from '../../ui/SafeText.tsx';
import { CopyCode } from './CopyCode.tsx';
import { ticketsPageAt } from './ticket-list.ts';
import { daysText, planNameOf } from './ticket-words.ts';

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
