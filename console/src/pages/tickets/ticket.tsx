import { englishOr } from '@meridian/contract/fields';
import {
  type ListedTicket,
  TICKET_SEARCH_MAX_LENGTH,
  TICKET_STATUSES,
  TICKETS_PAGE_SIZE,
  ticketStatusAt,
} from '@meridian/contract/tickets';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { NOTHING } from '@meridian/ui/format.ts';
import { listQuery, oneOf, readParams, readPosition, text } from '@meridian/ui/list/params.ts';

export const TICKETS_PARAMS = { status: oneOf(TICKET_STATUSES) };
/** The server can search a list that comes in pages. */
export const TICKET_PAGES_PARAMS = { ...TICKETS_PARAMS, search: text(TICKET_SEARCH_MAX_LENGTH) };

export function ticketsPageAt(search: URLSearchParams) {
  const values = readParams(TICKET_PAGES_PARAMS, search);
  return { query: listQuery(TICKETS_PAGE_SIZE, values, readPosition(search)) };
}

export interface ShownTicket {
  ticket: ListedTicket;
  status: string;
}

/** The counts are by status, unknown ones included. */
export function showTickets(tickets: readonly ListedTicket[], now: Date) {
  const counts = new Map<string, number>();
  const rows = tickets.map((ticket) => {
    const status = ticketStatusAt(ticket, now);
    counts.set(status, (counts.get(status) ?? 0) + 1);
    return { ticket, status };
  });
  return { rows, counts };
}

/** The English name of the plan, or its plain one, or its id. */
export function planNameOf({ plan, planId }: ListedTicket): string {
  return englishOr(plan.displayName, plan.name) || planId;
}

/** '1 / 5', or '1 / ∞' without a maximum. */
export function usageOf({ redemptionCount, maxRedemptions }: ListedTicket): string {
  return `${redemptionCount} / ${maxRedemptions ?? '∞'}`;
}

export function Issuer({ issuer: { displayName, handle } }: { issuer: ListedTicket['issuer'] }) {
  return (
    <div className="min-w-0 leading-tight">
      <div className="truncate font-medium">
        <SafeText>{displayName || handle || NOTHING}</SafeText>
      </div>
      {handle !== '' && (
        <div className="truncate text-xs text-muted">
          <SafeText>{`@${handle}`}</SafeText>
        </div>
      )}
    </div>
  );
}
