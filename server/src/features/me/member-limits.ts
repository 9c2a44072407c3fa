import { meSignOut } from '@meridian/contract/me/account';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { AppError } from '../../http/app-error.ts';
import type { Member } from '../../http/register.ts';
import { refundAttempt, reserveAttempt } from '../sign-in-limits/attempts.store.ts';
import type { Bucket, CountedAttempt } from '../sign-in-limits/attempts.store.ts';

const MINUTE = 60;

/** Full, it takes the next attempt when its time is over. */
const bucket = (subject: string, purpose: string, limit: number, minutes: number): Bucket => ({
  subject,
  purpose,
  limit,
  windowSeconds: minutes * MINUTE,
  backoff: 'rest-of-window',
});

/** Sign-ins that one network may begin: each may ask another host. */
export const countSignIn = (db: Db, network: string) =>
  countAttempt(db, [bucket(`network ${network}`, 'sign-in of people', 60, 5)]);

/** The same for a service, whose members have networks of their own. */
export const countServiceSignIn = (db: Db, tokenId: string) =>
  countAttempt(db, [bucket(`token ${tokenId}`, 'sign-in of people', 600, 5)]);

/** Wrong access keywords of one network. */
export const countKeywordGuess = (db: Db, network: string) =>
  countAttempt(db, [bucket(`network ${network}`, 'access keyword', 10, 15)]);

/**
 * Wrong codes of a member, and of the network or the service that the call comes from: a code is worth a
 * plan, and all are equally likely.
 */
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

/**
 * Counts in every bucket or in none, before what was typed is looked up: parallel guesses cannot pass
 * the limit. `refund` is for those that were right.
 */
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

type ChangeCount = { most: number; used: number; waitSeconds: number };

/**
 * Counts a change towards `api_rate_limit_per_hour`, for all processes; null when there is no limit.
 * One statement: parallel changes of a person wait for its row and cannot pass the limit.
 */
async function countChange(db: Db, userId: string): Promise<ChangeCount | null> {
  const isOver = sql`r.started_at <= now() - interval '1 hour'`;
  return db.maybeOne<ChangeCount>(sql`
    with allowed as (
      select (effective_limits(${userId}) ->> 'api_rate_limit_per_hour')::integer as most)
    insert into member_rates as r (user_id, started_at, used)
    select ${userId}, now(), 1 from allowed where most >= 0
    on conflict (user_id) do update set
      started_at = case when ${isOver} then now() else r.started_at end,
      used = case when ${isOver} then 1 else r.used + 1 end
    returning r.used, (select most from allowed) as most,
      ceil(extract(epoch from r.started_at + interval '1 hour' - now()))::integer as "waitSeconds"`);
}

/** Reading is not counted: a page that is left open would use up the hour. */
export function limitByPlan(scope: FastifyInstance, db: Db): void {
  scope.addHook('onRequest', async ({ member, method, routeOptions }) => {
    if (member === undefined || method === 'GET' || routeOptions.url === meSignOut.path) return;
    const count = await countChange(db, member.userId);
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
