import { TICKET_MESSAGES } from '@meridian/contract/tickets';
import { Ticket } from 'lucide-react';
import { LinkButton } from '../../components/navigation/LinkButton.tsx';
import { paths } from '../../paths.ts';
import { TICKET_COLUMNS } from './ticket-columns.tsx';
import type { ShownTicket } from './ticket-list.ts';

/** What the table of tickets is, whether it comes whole or in pages. */
export const TICKET_TABLE = {
  label: 'Plan tickets',
  columns: TICKET_COLUMNS,
  rowKey: ({ ticket }: ShownTicket) => ticket.id,
  failed: TICKET_MESSAGES.listFailed,
  describeError: TICKET_MESSAGES.listError,
  emptyText: TICKET_MESSAGES.none,
  emptyIcon: <Ticket aria-hidden="true" />,
  emptyAction: <LinkButton to={paths.ticketIssue}>Issue New Ticket</LinkButton>,
  loadingText: TICKET_MESSAGES.loading,
  rowHeight: '3.875rem',
  cellsPerLine: 4,
};
