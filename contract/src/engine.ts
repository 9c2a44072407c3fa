import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { count, timestamp } from './fields.ts';

/** A worker reports every five seconds; after this silence it counts as dead. */
export const WORKER_ALIVE_SECONDS = 15;
export const LATE_LIMIT_MINUTES_DEFAULT = 60;
/** Counts stop here, since counting more would take long. */
export const ENGINE_COUNT_MAX = 100_000;

export const ENGINE_MESSAGES = { loadFailed: 'Failed to load the state of the engine' } as const;

/** '12 s behind', or '12 s ahead of' for an offset below zero. */
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
  /** Its clock is so far behind the database's (ahead, below zero) that it does not publish; null while it is right. */
  clockOffMs: z.nullable(z.number()),
  claimed: count,
  published: count,
  lastMinute: z.object({ published: count, lateness: z.nullable(lateness) }),
});
export type EngineWorker = z.output<typeof worker>;

const host = z.object({
  host: z.string(),
  state: z.string(),
  since: timestamp,
  retryAt: z.nullable(timestamp),
  cause: z.nullable(z.string()),
  lastOkAt: z.nullable(timestamp),
});
export type EngineHost = z.output<typeof host>;

export const suspension = z.object({
  by: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  expectedEndAt: z.nullable(timestamp),
  noticeForPeople: z.nullable(z.string()),
});
export type Suspension = z.output<typeof suspension>;

export const engineState = z.object({
  isSuspended: z.boolean(),
  suspendedAt: z.nullable(timestamp),
  suspension: z.nullable(suspension),
  isAlive: z.boolean(),
  /** False where another program publishes, or none. */
  isExpected: z.boolean(),
  lastSeenAt: z.nullable(timestamp),
  network: z.nullable(z.string()),
  lateLimitMinutes: count,
  workers: z.array(worker),
  /** p50 is the mean of living workers by number of posts, the others are those of the slowest. */
  lastMinute: z.object({ published: count, lateness: z.nullable(lateness) }),
  /** Pending posts whose time has come; `tooLate` of them are past the late limit. */
  waiting: z.object({ count, oldestAt: z.nullable(timestamp), tooLate: count }),
  held: z.array(z.object({ hold: z.string(), sentence: z.string(), count })),
  hosts: z.array(host),
  /** Due posts by minute; minutes without any are left out. */
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

const reason = z.object({
  word: z.string(),
  sentence: z.string(),
  advice: z.nullable(z.string()),
});
export type DeliveryReason = z.output<typeof reason>;

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
  claimedAt: z.nullable(timestamp),
  sentAt: z.nullable(timestamp),
  confirmedAt: z.nullable(timestamp),
  latenessMs: z.nullable(z.number()),
  claims: count,
  host: z.nullable(z.string()),
  outcome: z.nullable(z.string()),
  hold: z.nullable(reason),
  cause: z.nullable(reason),
  nextLookAt: z.nullable(timestamp),
  attempts: z.array(attempt),
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
