import type { Assignment } from '@meridian/contract/assignments';
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

/** The English name of the plan, or its plain one, or its id. */
export function planNameOf({ plan, planId }: Pick<ListedTicket, 'plan' | 'planId'>): string {
  return englishOr(plan.displayName, plan.name) || planId;
}

/** '1 / 5', or '1 / ∞' without a maximum. */
export function usageOf({
  redemptionCount,
  maxRedemptions,
}: Pick<ListedTicket, 'redemptionCount' | 'maxRedemptions'>): string {
  return `${redemptionCount} / ${maxRedemptions ?? '∞'}`;
}

/** '30 days' */
export function daysText(days: number): string {
  return `${days} days`;
}

/** The user of an assignment, in the fields of a user. */
export function holderOf({ user }: Assignment) {
  return { ...user, display_name: user.displayName };
}

/** Who issued a ticket: display name or handle, and the handle for certain. */
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
