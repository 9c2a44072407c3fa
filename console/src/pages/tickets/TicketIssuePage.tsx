import { PageTitle } from '../../components/PageTitle.tsx';

export function TicketIssuePage() {
  return <PageTitle title="Issue New Ticket" />;
}
