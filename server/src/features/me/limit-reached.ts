import type { PlanLimitName, PlanLimits } from '@meridian/contract/plan-limits';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { AppError } from '../../http/app-error.ts';

/** A limit of the plan in force that something would pass. */
export type PassedLimit = {
  name: PlanLimitName;
  allowed: number;
  used: number;
  /** When there is room again, if time alone makes it. */
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

/** Names the limit, how much is used, and when it ends. The path of the issue is the limit's name. */
export function limitReached(passed: PassedLimit): AppError {
  const message = SENTENCES[passed.name]?.(passed);
  if (message === undefined) return new AppError('limit_reached');
  return new AppError('limit_reached', { message, issues: [{ path: passed.name, message }] });
}

/** The limits in force for a person; empty without any plan. */
export async function limitsOf(db: Db, userId: string): Promise<PlanLimits> {
  const { limits } = await db.one<{ limits: PlanLimits }>(sql`
    select coalesce(effective_limits(${userId}), '{}') as limits`);
  return limits;
}

const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;

/** Rounded up, so that what is over a limit never reads like the limit itself. */
const megabytes = (bytes: number) => `${Math.ceil((bytes / MB) * 100) / 100} MB`;

function timeOf(instant: string | null): string {
  return instant === null ? 'later' : `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}
