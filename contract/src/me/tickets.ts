import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { timestamp } from '../fields.ts';
import { line } from '../texts.ts';

export const meTicketRedeem = endpoint({
  name: 'meTicketRedeem',
  method: 'POST',
  path: '/api/me/tickets/redeem',
  right: 'members',
  summary: 'Redeem a ticket: its plan holds at once',
  credential: 'cookie',
  body: z.strictObject({ code: line('Code', 64) }),
  answer: z.object({
    plan: z.object({ name: z.string(), tier: z.string(), expiresAt: z.nullable(timestamp) }),
    /** What became of the plan that held before, in words for people; null where there was none. */
    earlier: z.nullable(z.string()),
  }),
});
