import { PageTitle } from '../../components/PageTitle.tsx';

export function TicketPage() {
  return <PageTitle title="Ticket" />;
}
