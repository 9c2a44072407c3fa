import type { PostStatus } from '@meridian/contract/posts';
import type { Moment } from './stepped-worker.ts';

/**
 * What becomes of a post. `published`: COMPLETED, with one record and its address. `stopped`: the
 * status that was set, no record. `public`: the status that was set, one record, its address, and the
 * cause `published_after_cancel`. `refused`: the change is a 409, and the post ends as without it.
 */
export type End = 'published' | 'stopped' | 'public' | 'refused';

/** In the order of POST_STATUSES; where a status would change to itself: the end without a change. */
type Row = readonly [from: PostStatus, ...ends: [End, End, End, End, End]];

const REFUSED_UNSENT = [
  ['COMPLETED', 'refused', 'refused', 'stopped', 'refused', 'refused'],
  ['FAILED', 'refused', 'refused', 'refused', 'stopped', 'refused'],
] as const satisfies Row[];
const UNSENT: readonly Row[] = [
  //             PENDING      PROCESSING   COMPLETED  FAILED     CANCELLED
  ['PENDING', 'published', 'published', 'stopped', 'stopped', 'stopped'],
  ['PROCESSING', 'published', 'published', 'stopped', 'stopped', 'stopped'],
  ...REFUSED_UNSENT,
  ['CANCELLED', 'published', 'published', 'stopped', 'stopped', 'stopped'],
];
/** The request has left: nothing can take it back, but the status that was set is kept. */
const SENT: readonly Row[] = [
  //             PENDING      PROCESSING   COMPLETED    FAILED    CANCELLED
  ['PENDING', 'published', 'published', 'published', 'public', 'public'],
  ['PROCESSING', 'published', 'published', 'published', 'public', 'public'],
  ['COMPLETED', 'refused', 'refused', 'published', 'refused', 'refused'],
  ['FAILED', 'refused', 'refused', 'refused', 'public', 'refused'],
  ['CANCELLED', 'published', 'published', 'published', 'public', 'public'],
];

/** One end for every change by hand in every moment of a delivery. */
export const ENDS: Record<Moment, readonly Row[]> = {
  'before the claim': UNSENT,
  'before the journal': UNSENT,
  journalled: UNSENT,
  'on the wire': SENT,
  responded: SENT,
  settled: [
    // The host refused the session, so the post waits for its author: nothing was sent.
    ['PENDING', 'stopped', 'published', 'stopped', 'stopped', 'stopped'],
    // The host wrote the record and responded 502, so the post waits for a retry.
    ['PROCESSING', 'published', 'published', 'published', 'public', 'public'],
    ['COMPLETED', 'refused', 'refused', 'published', 'refused', 'refused'],
    // The host refused the record.
    ['FAILED', 'refused', 'refused', 'refused', 'stopped', 'refused'],
    // It was cancelled on the wire.
    ['CANCELLED', 'published', 'published', 'published', 'public', 'public'],
  ],
};
