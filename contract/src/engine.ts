import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { count, timestamp } from './fields.ts';

/** A worker reports every five seconds; one that has not for this long is not alive. */
export const WORKER_ALIVE_SECONDS = 15;
/** A post that is later than this is not published any more, unless the server is told otherwise. */
export const LATE_LIMIT_MINUTES_DEFAULT = 60;
/** A count stops here: from here on there are many, and counting them would take long. */
export const ENGINE_COUNT_MAX = 100_000;

export const ENGINE_MESSAGES = { loadFailed: 'Failed to load the state of the engine' } as const;

/** '12 s behind', or '12 s ahead of' for a clock that is ahead, which has an offset below zero. */
export function clockDistance(offMs: number): string {
  return `${Math.round(Math.abs(offMs) / 1000)} s ${offMs > 0 ? 'behind' : 'ahead of'}`;
}

const lateness = z.object({
  p50Ms: z.number(),
  /** Workers of earlier versions do not report it. */
  p95Ms: z.optional(z.number()),
  p99Ms: z.number(),
  maxMs: z.number(),
});

const worker = z.object({
  id: z.string(),
  version: z.string(),
  network: z.string(),
  startedAt: timestamp,
  seenAt: timestamp,
  isAlive: z.boolean(),
  isStopping: z.boolean(),
  /**
   * Milliseconds by which its clock is behind the database's (below zero: ahead), where that is too far to
   * publish; null while it is right.
   */
  clockOffMs: z.nullable(z.number()),
  /** Since it started. */
  claimed: count,
  published: count,
  lastMinute: z.object({ published: count, lateness: z.nullable(lateness) }),
});
export type EngineWorker = z.output<typeof worker>;

const host = z.object({
  host: z.string(),
  state: z.string(),
  since: timestamp,
  /** No call before this time. */
  retryAt: z.nullable(timestamp),
  /** In words. */
  cause: z.nullable(z.string()),
  lastOkAt: z.nullable(timestamp),
});
export type EngineHost = z.output<typeof host>;

/** What administrators wrote about the suspension in force. */
export const suspension = z.object({
  /** Null when it was not suspended through this API. */
  by: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  expectedEndAt: z.nullable(timestamp),
  /** For users, apart from the administrators' own reason. */
  noticeForPeople: z.nullable(z.string()),
});
export type Suspension = z.output<typeof suspension>;

export const engineState = z.object({
  isSuspended: z.boolean(),
  suspendedAt: z.nullable(timestamp),
  /** Null while the service is not suspended. */
  suspension: z.nullable(suspension),
  /** True while a worker whose clock is right was seen within the last seconds. */
  isAlive: z.boolean(),
  /** False where another program publishes, or none. */
  isExpected: z.boolean(),
  /** When a worker was last seen; null: never. */
  lastSeenAt: z.nullable(timestamp),
  /** The network that living workers publish to. */
  network: z.nullable(z.string()),
  lateLimitMinutes: count,
  workers: z.array(worker),
  /** Of all living workers. p50 is their mean by number of posts, the others that of the slowest. */
  lastMinute: z.object({ published: count, lateness: z.nullable(lateness) }),
  /** Pending posts whose time has come. `tooLate` of them are past the late limit. */
  waiting: z.object({ count, oldestAt: z.nullable(timestamp), tooLate: count }),
  held: z.array(z.object({ hold: z.string(), sentence: z.string(), count })),
  hosts: z.array(host),
  /** How many posts are due in each of the next 60 minutes, minutes without any left out. */
  nextHour: z.array(z.object({ at: timestamp, count })),
});
export type EngineState = z.output<typeof engineState>;

export const engineGet = endpoint({
  name: 'engineGet',
  method: 'GET',
  path: '/api/admin/engine',
  right: 'engine:read',
  summary: 'What publishes the posts: workers, lateness, held and waiting posts, hosts, next hour',
  answer: engineState,
});

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
