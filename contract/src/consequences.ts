import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { choice } from './fields.ts';

/** Changes of one thing that reach further than it shows. */
export const CONSEQUENCES_OF = [
  'planDeactivate',
  'currencyDeactivate',
  'userBlock',
  'ticketRevoke',
  'closedBeta',
] as const;
export type ConsequenceOf = (typeof CONSEQUENCES_OF)[number];

export const consequenceGet = endpoint({
  name: 'consequenceGet',
  method: 'GET',
  path: '/api/admin/consequences',
  right: null,
  summary: 'Whom a change would concern, in sentences; none where it concerns nothing else',
  query: z.strictObject({
    of: z._default(choice('of', CONSEQUENCES_OF), 'closedBeta'),
    /** Of the plan, currency, user or ticket. */
    id: z.optional(z.string().check(z.maxLength(36, { error: 'id is too long' }))),
  }),
  answer: z.object({ sentences: z.array(z.string()) }),
});
