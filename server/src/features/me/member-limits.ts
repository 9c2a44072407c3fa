import { meSignOut } from '@meridian/contract/me/account';
import type { PlanLimitName, PlanLimits } from '@meridian/contract/plan-limits';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { AppError } from '../../http/errors.ts';
import type { Member } from '../../http/register.ts';
import { refundAttempt, reserveAttempt } from '../sign-in-limits/attempts.store.ts';
import type { Bucket, CountedAttempt } from '../sign-in-limits/attempts.store.ts';

const MINUTE = 60;

const bucket = (subject: string, purpose: string, limit: number, minutes: number): Bucket => ({
  subject,
  purpose,
  limit,
  windowSeconds: minutes * MINUTE,
  backoff: 'rest-of-window',
});

/** Sign-ins are counted by network, since each may ask another host. */
export const countSignIn = (db: Db, network: string) =>
  countAttempt(db, [bucket(`network ${network}`, 'sign-in of people', 60, 5)]);

export const countServiceSignIn = (db: Db, tokenId: string) =>
  countAttempt(db, [bucket(`token ${tokenId}`, 'sign-in of people', 600, 5)]);

export const countKeywordGuess = (db: Db, network: string) =>
  countAttempt(db, [bucket(`network ${network}`, 'access keyword', 10, 15)]);

/** A code is worth a plan, so guesses count by member, and by the network or the service of the call. */
export const countTicketCode = (db: Db, { userId, sessionId, service }: Member, network: string) =>
  countAttempt(
    db,
    [
      bucket(`user ${userId}`, 'ticket codes', 5, 15),
      service === null
        ? bucket(`network ${network}`, 'ticket codes', 20, 15)
        : bucket(sessionId, 'ticket codes', 500, 15),
    ],
    'Too many wrong codes',
  );

/** Attempts count before what was typed is looked up, so that parallel guesses cannot pass the limit. */
async function countAttempt(db: Db, buckets: readonly Bucket[], tooMany?: string) {
  const counted: CountedAttempt[] = [];
  const refund = async () => {
    for (const attempt of counted) await refundAttempt(db, attempt);
  };
  for (const bucket of buckets) {
    const reserved = await reserveAttempt(db, bucket);
    if (reserved.counted === null) {
      await refund();
      const retryAfterSeconds = reserved.waitSeconds;
      const message = tooMany && `${tooMany}. ${whenFree(retryAfterSeconds)}`;
      throw new AppError('too_many_requests', { retryAfterSeconds, ...(message && { message }) });
    }
    counted.push(reserved.counted);
  }
  return { refund };
}

const IS_OVER = sql`r.started_at <= now() - interval '1 hour'`;

/** Reading is not counted: a page that is left open would use up the hour. */
export function limitByPlan(scope: FastifyInstance, db: Db): void {
  scope.addHook('onRequest', async ({ member, method, routeOptions }) => {
    if (member === undefined || method === 'GET' || routeOptions.url === meSignOut.path) return;
    // One statement counts for all processes: parallel changes of a member wait for its row.
    const count = await db.maybeOne<{ most: number; used: number; waitSeconds: number }>(sql`
      with allowed as (
        select (effective_limits(${member.userId}) ->> 'api_rate_limit_per_hour')::integer as most)
      insert into member_rates as r (user_id, started_at, used)
      select ${member.userId}, now(), 1 from allowed where most >= 0
      on conflict (user_id) do update set
        started_at = case when ${IS_OVER} then now() else r.started_at end,
        used = case when ${IS_OVER} then 1 else r.used + 1 end
      returning r.used, (select most from allowed) as most,
        ceil(extract(epoch from r.started_at + interval '1 hour' - now()))::integer as "waitSeconds"`);
    if (count === null || count.used <= count.most) return;
    throw new AppError('too_many_requests', {
      message: `Your plan allows ${count.most} changes an hour. ${whenFree(count.waitSeconds)}`,
      retryAfterSeconds: count.waitSeconds,
    });
  });
}

function whenFree(seconds: number): string {
  const minutes = Math.ceil(seconds / MINUTE);
  return `Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}

export type PassedLimit = {
  name: PlanLimitName;
  allowed: number;
  used: number;
  endsAt: string | null;
};

const MB = 1024 * 1024;
export const bytesOf = (megabytes: number) => megabytes * MB;

const SENTENCES: Partial<Record<PlanLimitName, (passed: PassedLimit) => string>> = {
  max_post_length: ({ allowed, used }) =>
    `Your plan allows ${allowed} characters in a post. This one has ${used}. Shorten it`,
  max_images_per_post: ({ allowed, used }) =>
    `Your plan allows ${count(allowed, 'picture')} in a post. This one has ${used}. Remove some`,
  thread_posts_limit: ({ allowed, used }) =>
    allowed === 0
      ? `Your plan has no threads. This one has ${count(used, 'further post')}`
      : `Your plan allows ${count(allowed, 'further post')} in a thread. This one has ${used}`,
  max_schedule_days: ({ allowed, used }) =>
    `Your plan lets you schedule ${count(allowed, 'day')} ahead. This is ${used}. Choose an earlier time`,
  concurrent_posts_limit: ({ allowed, used, endsAt }) =>
    `Your plan allows ${count(allowed, 'post')} at one time. You have ${used} there. The next time is ${timeOf(endsAt)}`,
  monthly_posts_limit: ({ allowed, used, endsAt }) =>
    `Your plan allows ${count(allowed, 'post')} in a month. You have ${used} in this one. The next begins on ${timeOf(endsAt)}`,
  pending_posts_limit: ({ allowed, used }) =>
    `Your plan allows ${count(allowed, 'waiting post')}. You have ${used}. There is room again when one is published or cancelled`,
  max_image_size_mb: ({ allowed, used }) =>
    `Your plan allows pictures of ${megabytes(allowed)}. This one has ${megabytes(used)}. Make it smaller`,
  storage_mb: ({ allowed, used }) =>
    `Your plan has room for ${megabytes(allowed)} of pictures. With this one you would have ${megabytes(used)}. There is room again a day after you delete posts with pictures`,
};

export function limitReached(passed: PassedLimit): AppError {
  const message = SENTENCES[passed.name]?.(passed);
  if (message === undefined) return new AppError('limit_reached');
  return new AppError('limit_reached', { message, issues: [{ path: passed.name, message }] });
}

export async function limitsOf(db: Db, userId: string): Promise<PlanLimits> {
  const { limits } = await db.one<{ limits: PlanLimits }>(sql`
    select coalesce(effective_limits(${userId}), '{}') as limits`);
  return limits;
}

const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;

/** The figure is rounded up, so that what is over a limit never reads like the limit itself. */
const megabytes = (bytes: number) => `${Math.ceil((bytes / MB) * 100) / 100} MB`;

function timeOf(instant: string | null): string {
  return instant === null ? 'later' : `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}
