import * as z from 'zod/mini';
import { CAUSE_OWNERS } from './cause-words.ts';
import { endpoint } from './endpoint.ts';
import { engineState } from './engine.ts';
import { count, paragraph, timestamp } from './fields.ts';
import { FILTERED_TOTAL_MAX } from './posts.ts';

/** Counts stop where those of the filtered lists stop that they lead to. */
export const OVERVIEW_COUNT_MAX = FILTERED_TOTAL_MAX;
/** A chart is cut off past so many posts, and says where. */
export const DUE_COUNT_MAX = 50_000;
/** A visit ends after so long without a request. */
export const VISIT_GAP_MINUTES = 30;
export const HANDOVER_MAX_LENGTH = 1_000;

export const OVERVIEW_MESSAGES = {
  loadFailed: 'Failed to load what needs attention now',
  handoverFailed: 'Failed to save the hand-over note',
  handoverSaved: 'Hand-over note saved',
} as const;

/** Pending posts in equal slots of time, of which the first has begun; slots without any are left out. */
const due = z.object({
  from: timestamp,
  to: timestamp,
  stepMinutes: count,
  slots: z.array(z.object({ at: timestamp, count })),
  countedTo: z.nullable(timestamp),
});
export type DuePosts = z.output<typeof due>;

const waiting = z.object({ count, oldestAt: z.nullable(timestamp) });

const visit = z.object({
  since: timestamp,
  to: timestamp,
  people: count,
  published: count,
  failed: count,
  redeemed: count,
  settings: z.array(
    z.object({ at: timestamp, by: z.string(), changes: z.record(z.string(), z.unknown()) }),
  ),
});
export type Visit = z.output<typeof visit>;

const handover = z.object({
  text: z.string(),
  author: z.nullable(z.string()),
  updatedAt: timestamp,
  /** For If-Match. */
  version: z.int(),
});
export type Handover = z.output<typeof handover>;

export const overview = z.object({
  overdue: waiting,
  stuck: waiting,
  held: engineState.shape.held,
  failed: z.object({
    from: timestamp,
    to: timestamp,
    byOwner: z.array(z.object({ owner: z.enum(CAUSE_OWNERS), count })),
  }),
  engine: z.pick(engineState, {
    isSuspended: true,
    suspendedAt: true,
    isAlive: true,
    isExpected: true,
    lastSeenAt: true,
    network: true,
    lastMinute: true,
  }),
  nextHour: due,
  nextDay: due,
  visit: z.nullable(visit),
  handover,
});
export type Overview = z.output<typeof overview>;

export const overviewGet = endpoint({
  name: 'overviewGet',
  method: 'GET',
  path: '/api/admin/overview',
  right: 'engine:read',
  summary: 'What needs attention: late, stuck, held and failed posts, what is due, what happened',
  answer: overview,
});

export const handoverUpdate = endpoint({
  name: 'handoverUpdate',
  method: 'PUT',
  path: '/api/admin/handover',
  right: null,
  summary: 'Replace the hand-over note for the next administrator',
  body: z.strictObject({ text: paragraph('The note', HANDOVER_MAX_LENGTH) }),
  answer: z.object({ handover }),
});

const byStatus = z.array(z.object({ status: z.string(), count }));

export const stats = z.object({
  users: z.object({ total: count, activeUsers: count, byStatus }),
  posts: z.object({ total: count, byStatus }),
});
export type Stats = z.output<typeof stats>;

export const statsGet = endpoint({
  name: 'statsGet',
  method: 'GET',
  path: '/api/admin/stats',
  right: 'engine:read',
  summary: 'How many users and posts, by status',
  answer: stats,
});
