import { useIsMeridian } from '../../auth/use-is-meridian.ts';
import { LinkButton } from '../../components/navigation/LinkButton.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { TicketPages } from './TicketPages.tsx';
import { WholeTickets } from './WholeTickets.tsx';

export function TicketsPage() {
  const hasPages = useIsMeridian();
  return (
    <>
      <PageTitle
        title="Plan Tickets"
        context="Coupon codes that grant a plan when they are redeemed"
        actions={
          <LinkButton to={paths.ticketIssue} variant="primary">
            Issue New Ticket
          </LinkButton>
        }
      />
      {hasPages ? <TicketPages /> : <WholeTickets />}
    </>
  );
}
