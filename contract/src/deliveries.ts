import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { count, timestamp } from './fields.ts';

export const DELIVERY_MESSAGES = { loadFailed: 'Failed to load the delivery' } as const;

/** A word of `CAUSES` or `HOLDS`, and what it means. */
const reason = z.object({
  word: z.string(),
  sentence: z.string(),
  advice: z.nullable(z.string()),
});
export type DeliveryReason = z.output<typeof reason>;

/** An attempt that did not publish at once. */
const attempt = z.object({
  number: count,
  startedAt: timestamp,
  endedAt: timestamp,
  host: z.string(),
  status: z.nullable(z.int()),
  error: z.nullable(z.string()),
  cause: reason,
});
export type DeliveryAttempt = z.output<typeof attempt>;

export const delivery = z.object({
  plannedAt: timestamp,
  /** When a worker took it and wrote its record to the journal. */
  claimedAt: z.nullable(timestamp),
  sentAt: z.nullable(timestamp),
  confirmedAt: z.nullable(timestamp),
  /** From the planned time until it was sent; null until then. */
  latenessMs: z.nullable(z.number()),
  /** How often a worker has taken it. */
  claims: count,
  host: z.nullable(z.string()),
  outcome: z.nullable(z.string()),
  hold: z.nullable(reason),
  cause: z.nullable(reason),
  /** When a worker looks at it next; null: not by itself. */
  nextLookAt: z.nullable(timestamp),
  attempts: z.array(attempt),
  /** One per post of the thread. */
  records: z.array(z.object({ rkey: z.string(), uri: z.string(), cid: z.string() })),
});
export type Delivery = z.output<typeof delivery>;

export const deliveryGet = endpoint({
  name: 'deliveryGet',
  method: 'GET',
  path: '/api/admin/posts/{id}/delivery',
  right: 'posts:read',
  summary: 'How a post was or will be delivered: times, attempts, why it waits or failed',
  answer: z.object({ delivery }),
});
