import * as z from 'zod/mini';
import { assignment, planSummary } from './assignments.ts';
import { endpoint } from './endpoint.ts';
import {
  OFFSET_MAX,
  PAGE_SIZE_MAX,
  UNLIMITED,
  choice,
  count,
  cursor,
  cursors,
  flag,
  id,
  instant,
  integer,
  keysOf,
  numberChoice,
  paragraph,
  queryInteger,
  searchText,
  timestamp,
} from './fields.ts';
import { PLAN_LIMIT_LABELS, planLimits, SCHEDULE_INTERVALS } from './plan-limits.ts';

export const TICKET_STATUSES = ['UNUSED', 'ACTIVE', 'EXPIRED', 'REVOKED'] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

export const TICKET_RANGES = {
  validDays: { min: 1, max: 3650 },
  maxRedemptions: { min: 1, max: 10_000 },
} as const;
export const TICKET_DEFAULTS = { validDays: 30, maxRedemptions: 1 } as const;
export const TICKET_MEMO_MAX = 1000;
export const TICKETS_PAGE_SIZE = 20;
export const TICKET_SEARCH_MAX_LENGTH = 256;

/** An alphabet without look-alikes. */
export const TICKET_CODE_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
export const TICKET_CODE_LENGTH = 16;

export const COPY_TOAST_MS = 3000;

export const OVERRIDE_RANGES = {
  monthly_posts_limit: { min: UNLIMITED, max: 10_000 },
  concurrent_posts_limit: { min: UNLIMITED, max: 1000 },
  max_post_length: { min: 1, max: 300 },
  max_schedule_days: { min: UNLIMITED, max: 365 },
  thread_posts_limit: { min: 1, max: 25 },
} as const;

export const TICKET_MESSAGES = {
  planRequired: 'Plan is required',
  planNotAvailable: 'Choose an active plan that is not free',
  deadlinePassed: 'Redemption deadline must be in the future',
  issueFailed: 'Failed to issue ticket',
  listFailed: 'Failed to load tickets',
  loadFailed: 'Failed to load ticket',
  notFound: 'Ticket not found',
  revokeFailed: 'Failed to revoke ticket',
  issued: (code: string) => `Ticket issued successfully: ${code}`,
  confirmRevoke: (code: string) => `Are you sure you want to revoke ticket ${code}?`,
  copied: (code: string) => `Copied ${code}`,
  loading: 'Loading tickets...',
  none: 'No tickets found',
  listError: (message: string) => `Error: ${message}`,
} as const;

type TicketState = { status: string; redemptionDeadline?: string | null | undefined };

/** A ticket whose deadline has passed counts as EXPIRED, whatever is stored. */
export function ticketStatusAt(ticket: TicketState, now: Date): string {
  const { redemptionDeadline: deadline } = ticket;
  return deadline && new Date(deadline) <= now ? 'EXPIRED' : ticket.status;
}

export const ticketCan = {
  revoke: (ticket: TicketState, now: Date) => ticketStatusAt(ticket, now) === 'UNUSED',
};

function override(name: keyof typeof OVERRIDE_RANGES) {
  const { min, max } = OVERRIDE_RANGES[name];
  return integer(PLAN_LIMIT_LABELS[name], min, max);
}

/** The limits that a ticket may override, in the order in which they are shown. */
export const limitsOverrideInput = z.partial(
  z.strictObject({
    monthly_posts_limit: override('monthly_posts_limit'),
    concurrent_posts_limit: override('concurrent_posts_limit'),
    schedule_interval_minutes: numberChoice('Schedule interval', SCHEDULE_INTERVALS),
    max_post_length: override('max_post_length'),
    max_schedule_days: override('max_schedule_days'),
    thread_posts: flag('Thread posts'),
    thread_posts_limit: override('thread_posts_limit'),
  }),
);
export type LimitsOverride = z.output<typeof limitsOverrideInput>;
export type OverrideName = keyof LimitsOverride;
export const OVERRIDE_NAMES = keysOf(limitsOverrideInput.shape);

/** Thousands of tickets in a list need not repeat their plan's limits. */
const listedTicket = z.object({
  id,
  code: z.string(),
  status: z.string(),
  planId: id,
  plan: z.omit(planSummary, { limits: true }),
  issuer: z.object({ displayName: z.nullable(z.string()), handle: z.string() }),
  validDays: count,
  maxRedemptions: z.nullable(z.int()),
  redemptionCount: count,
  issuedAt: timestamp,
  redemptionDeadline: z.nullable(timestamp),
  updatedAt: timestamp,
  memo: z.nullable(z.string()),
  limitsOverride: z.nullable(planLimits),
});
export type ListedTicket = z.output<typeof listedTicket>;

export const ticket = z.extend(listedTicket, { plan: planSummary });
export type Ticket = z.output<typeof ticket>;

export const ticketIssueBody = z.strictObject({
  planId: z
    .string({ error: TICKET_MESSAGES.planRequired })
    .check(z.minLength(1, { error: TICKET_MESSAGES.planRequired }), z.maxLength(64)),
  validDays: z._default(
    integer('Valid days', TICKET_RANGES.validDays.min, TICKET_RANGES.validDays.max),
    TICKET_DEFAULTS.validDays,
  ),
  /** Null is without a maximum. */
  maxRedemptions: z._default(
    z.nullable(
      integer(
        'Max redemptions',
        TICKET_RANGES.maxRedemptions.min,
        TICKET_RANGES.maxRedemptions.max,
      ),
    ),
    TICKET_DEFAULTS.maxRedemptions,
  ),
  redemptionDeadline: z.optional(z.nullable(instant('Redemption deadline'))),
  memo: z.optional(z.nullable(paragraph('Memo', TICKET_MEMO_MAX))),
  limitsOverride: z.optional(z.nullable(limitsOverrideInput)),
});
export type TicketIssueBody = z.output<typeof ticketIssueBody>;

export const ticketIssue = endpoint({
  name: 'ticketIssue',
  method: 'POST',
  path: '/api/admin/tickets/issue',
  right: 'tickets:write',
  summary: 'Issue a ticket for an active plan that is not free',
  takesKey: true,
  status: 201,
  body: ticketIssueBody,
  answer: z.object({ ticket }),
});

/**
 * The specification has none of these: without any, the response carries every ticket, else a page.
 * `search` is part of a code, a memo, a plan's name or an issuer's.
 */
export const ticketListQuery = z.strictObject({
  limit: z.optional(queryInteger('limit', 1, PAGE_SIZE_MAX)),
  offset: z.optional(queryInteger('offset', 0, OFFSET_MAX)),
  cursor,
  status: z.optional(choice('status', TICKET_STATUSES)),
  search: z.optional(searchText('search', TICKET_SEARCH_MAX_LENGTH)),
});
export type TicketListQuery = z.output<typeof ticketListQuery>;

const ticketCounts = z.object({
  ALL: count,
  UNUSED: count,
  ACTIVE: count,
  EXPIRED: count,
  REVOKED: count,
});
export type TicketCounts = z.output<typeof ticketCounts>;

export const ticketList = endpoint({
  name: 'ticketList',
  method: 'GET',
  path: '/api/admin/tickets',
  right: 'tickets:read',
  summary: 'All tickets, newest first; with any parameter one page of them, a total and counts',
  query: ticketListQuery,
  answer: z.object({
    tickets: z.array(listedTicket),
    total: z.optional(count),
    counts: z.optional(ticketCounts),
    cursors: z.optional(cursors),
  }),
});

export const ticketGet = endpoint({
  name: 'ticketGet',
  method: 'GET',
  path: '/api/admin/tickets/{id}',
  right: 'tickets:read',
  summary: 'One ticket and who redeemed it',
  answer: z.object({ ticket, assignments: z.array(assignment) }),
});

export const ticketRevoke = endpoint({
  name: 'ticketRevoke',
  method: 'POST',
  path: '/api/admin/tickets/{id}/revoke',
  right: 'tickets:write',
  summary: 'Revoke an unused ticket',
  answer: z.object({ ticket }),
});
