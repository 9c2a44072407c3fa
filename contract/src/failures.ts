import * as z from 'zod/mini';
import { CAUSE_OWNERS } from './cause-words.ts';
import type { Cause } from './cause-words.ts';
import { CAUSES, isCause } from './causes.ts';
import { endpoint } from './endpoint.ts';
import { choice, count, id, keysOf, timestamp } from './fields.ts';
import { post } from './posts.ts';

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

export const RETRY_MESSAGES = { failed: 'Failed to retry the post' } as const;

/** Sent again, these would fail for the same reason, or be public twice. */
const FINAL_CAUSES = new Set<Cause>([
  'taken_down',
  'account_gone',
  'invalid_record',
  'too_long',
  'too_many_images',
  'image_too_large',
  'image_type',
  'parent_gone',
  'altered',
  'published_after_cancel',
]);

/** A failure without a known cause does not tell whether the post was sent. */
export function isRetryable(cause: string | null | undefined): cause is Cause {
  return typeof cause === 'string' && isCause(cause) && !FINAL_CAUSES.has(cause);
}

export const RETRYABLE_CAUSES = keysOf(CAUSES).filter(isRetryable);

export const retryCan = {
  retry: (one: Pick<z.output<typeof post>, 'status' | 'cause' | 'at_uri' | 'retried_as'>) =>
    one.status === 'FAILED' && !one.at_uri && !one.retried_as && isRetryable(one.cause),
};

export const postRetry = endpoint({
  name: 'postRetry',
  method: 'POST',
  path: '/api/admin/posts/{id}/retry',
  right: 'posts:write',
  summary: 'Schedule a failed post again as a new one, unless it is published already',
  answer: z.object({ post }),
});
