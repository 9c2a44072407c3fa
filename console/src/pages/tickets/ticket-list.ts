import {
  type ListedTicket,
  TICKET_SEARCH_MAX_LENGTH,
  TICKET_STATUSES,
  TICKETS_PAGE_SIZE,
  ticketStatusAt,
} from '@meridian/contract/tickets';
import {
  listQuery,
  oneOf,
  readParams,
  readPosition,
  text,
} from '../../components/list/list-params.ts';

/** What the address of the tickets list can say. */
export const TICKETS_PARAMS = { status: oneOf(TICKET_STATUSES) };
/** The same where the list comes in pages, and the server searches. */
export const TICKET_PAGES_PARAMS = { ...TICKETS_PARAMS, search: text(TICKET_SEARCH_MAX_LENGTH) };

/** The page that the list shows at this address. */
export function ticketsPageAt(search: URLSearchParams) {
  const values = readParams(TICKET_PAGES_PARAMS, search);
  return { query: listQuery(TICKETS_PAGE_SIZE, values, readPosition(search)) };
}

/** A ticket, and the status it has by now. */
export interface ShownTicket {
  ticket: ListedTicket;
  status: string;
}

export interface ShownTickets {
  rows: readonly ShownTicket[];
  /** The number of tickets by status, unknown ones included. */
  counts: ReadonlyMap<string, number>;
}

export function showTickets(tickets: readonly ListedTicket[], now: Date): ShownTickets {
  const counts = new Map<string, number>();
  const rows = tickets.map((ticket) => {
    const status = ticketStatusAt(ticket, now);
    counts.set(status, (counts.get(status) ?? 0) + 1);
    return { ticket, status };
  });
  return { rows, counts };
}
