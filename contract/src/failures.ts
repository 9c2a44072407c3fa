import * as z from 'zod/mini';
import { CAUSE_OWNERS } from './cause-words.ts';
import { endpoint } from './endpoint.ts';
import { choice, count, id, timestamp } from './fields.ts';

export const FAILURE_WINDOWS = ['24h', '7d', '30d'] as const;
export type FailureWindow = (typeof FAILURE_WINDOWS)[number];
export const FAILURE_WINDOW_DEFAULT = '24h' satisfies FailureWindow;

/** Only the newest are counted, which bounds the cost when everything fails. */
export const FAILURES_MAX = 10_000;

export const FAILURE_MESSAGES = {
  loadFailed: 'Failed to load the failures',
  otherTexts: 'Other errors without a known cause',
  unknownAdvice:
    'Not in the list of causes: set to Failed by hand, or new. Look at the samples and report what is new to the developers',
} as const;

const sample = z.object({
  id,
  handle: z.string(),
  content: z.string(),
  languages: z.array(z.string()),
  failedAt: timestamp,
});
export type FailureSample = z.output<typeof sample>;

const group = z.object({
  cause: z.nullable(z.string()),
  /** The beginning of the error of failures without a known cause; null for the rest of them. */
  error: z.nullable(z.string()),
  owner: z.enum(CAUSE_OWNERS),
  sentence: z.string(),
  advice: z.string(),
  count,
  share: z.number(),
  retried: count,
  retryable: count,
  people: count,
  firstAt: timestamp,
  lastAt: timestamp,
  trend: z.array(count),
  samples: z.array(sample),
});
export type FailureGroup = z.output<typeof group>;

const report = z.object({
  // Half open; a capped report begins later than asked for.
  from: timestamp,
  to: timestamp,
  isCapped: z.boolean(),
  total: count,
  /** Groups without a known cause come first, then the largest. */
  groups: z.array(group),
});
export type FailureReport = z.output<typeof report>;

export const failureList = endpoint({
  name: 'failureList',
  method: 'GET',
  path: '/api/admin/failures',
  right: 'posts:read',
  summary: 'Failed posts of a window by cause, with owner, advice, trend and samples',
  query: z.strictObject({
    window: z._default(choice('window', FAILURE_WINDOWS), FAILURE_WINDOW_DEFAULT),
  }),
  answer: report,
});
