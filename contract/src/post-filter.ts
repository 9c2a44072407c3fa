import * as z from 'zod/mini';
import { CAUSE_OWNERS, CAUSE_WORDS, HOLD_WORDS } from './cause-words.ts';
import { choice, instant, queryFlag } from './fields.ts';
import { atMost } from './length.ts';
import { paragraph } from './texts.ts';

/** A filtered total is exact at least up to here; past it, `totalIsCapped` may say that there are more. */
export const FILTERED_TOTAL_MAX = 1_000;
/** For lists that are not in the order of their index, which are read whole and sorted. */
export const SORTED_TOTAL_MAX = 10_000;
/** A worker that is this long past its lease has left the post stuck. */
export const STUCK_AFTER_SECONDS = 60;
export const POST_TEXT_MAX_LENGTH = 256;
/** The text of posts has no index: it is searched within one user or within this many days. */
export const POST_TEXT_DAYS_MAX = 31;

/** FAILED without a cause of the catalogue; it counts as the operators' own. */
export const UNKNOWN_CAUSE = 'unknown';
/** Such failures are told apart by so many characters of their error, or by this text without one. */
export const FAILURE_TEXT_LENGTH = 200;
export const NO_ERROR_TEXT = 'No error was recorded';
export const ANY_HOLD = 'any';

export const CAUSE_FILTERS = [...CAUSE_WORDS, UNKNOWN_CAUSE] as const;
export const HOLD_FILTERS = [...HOLD_WORDS, ANY_HOLD] as const;

/** Of any version: users that another program added have ids of its making. */
const uuid = z
  .string()
  .check(
    z.regex(/^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$/u, {
      error: 'userId must be a UUID',
    }),
  )
  .register(z.globalRegistry, { format: 'uuid' });

/** Further parameters of `postList`, and of every call that names a set of posts. */
export const postFilter = {
  userId: z.optional(uuid),
  /** On `scheduled_at`, half open. */
  from: z.optional(instant('from')),
  to: z.optional(instant('to')),
  cause: z.optional(choice('cause', CAUSE_FILTERS)),
  /** FAILED without a cause of the catalogue: the beginning of its error, as `failureList` groups it. */
  error: z.optional(
    z
      .string()
      .check(atMost(FAILURE_TEXT_LENGTH, 'error is too long'))
      .register(z.globalRegistry, { maxLength: FAILURE_TEXT_LENGTH }),
  ),
  /** FAILED posts whose cause this owner can remove. */
  owner: z.optional(choice('owner', CAUSE_OWNERS)),
  hold: z.optional(choice('hold', HOLD_FILTERS)),
  /** PENDING, not held, and its time has come: what `engineGet` counts as waiting. */
  overdue: z.optional(queryFlag('overdue')),
  /** PROCESSING, and its lease ran out more than STUCK_AFTER_SECONDS ago. */
  stuck: z.optional(queryFlag('stuck')),
  /** FAILED, on the time of the failure, half open. */
  failedFrom: z.optional(instant('failedFrom')),
  failedTo: z.optional(instant('failedTo')),
  /** Part of the content, in any case. */
  text: z.optional(paragraph('text', POST_TEXT_MAX_LENGTH)),
};
export type PostFilter = {
  [Name in keyof typeof postFilter]?: z.output<(typeof postFilter)[Name]>;
};

export const POST_FILTER_NAMES = Object.keys(postFilter) as (keyof PostFilter)[];

/** Of an object that holds `postFilter`: a search in texts is bounded by a user or by days. */
export const textIsBounded = z.refine<PostFilter>(
  ({ text, userId, from, to }) =>
    !text || userId !== undefined || daysBetween(from, to) <= POST_TEXT_DAYS_MAX,
  {
    error: `text needs userId, or from and to at most ${POST_TEXT_DAYS_MAX} days apart`,
    path: ['text'],
  },
);

function daysBetween(from: string | undefined, to: string | undefined): number {
  if (from === undefined || to === undefined) return Infinity;
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}
