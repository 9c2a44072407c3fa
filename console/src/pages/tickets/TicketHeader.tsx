import type { Ticket } from '@meridian/contract/tickets';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { paths } from '../../paths.ts';
import { Mono } from '../../ui/Mono.tsx';
import { SafeText } from '../../ui/SafeText.tsx';
import { CopyCode } from './CopyCode.tsx';
import { daysText, planNameOf } from './ticket-words.ts';

interface TicketHeaderProps {
  ticket: Ticket;
  /** As of now. */
  status: string;
}

export function TicketHeader({ ticket, status }: TicketHeaderProps) {
  return (
    <PageTitle
      back={<BackLink to={paths.tickets}>Back to Tickets</BackLink>}
      title={<Mono value={ticket.code} />}
      tabTitle={ticket.code}
      context={
        <>
          Grants <SafeText>{planNameOf(ticket)}</SafeText> for {daysText(ticket.validDays)}
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
