import { UNLIMITED } from '@meridian/contract/fields';
import { PLAN_LIMIT_RANGES } from '@meridian/contract/plan-limits';
import type { PlanLimitName, PlanLimits } from '@meridian/contract/plan-limits';
import { NETWORK_LIMITS, countGraphemes } from '@meridian/contract/network';
import { hasVideo, picturesIn, propertyOf } from '@meridian/contract/untrusted';
import { standingClauses } from '@meridian/contract/schedule-check';
import type { StandingWord } from '@meridian/contract/schedule-check';
import { monthAfter, monthOf, postsBetween } from '../../counters/counters.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { AppError, invalidField } from '../../http/errors.ts';
import { limitReached } from './member-limits.ts';
import type { PassedLimit } from './member-limits.ts';
import { findMe } from './me.ts';
import type { MeRow } from './me.ts';

type Measured = { content: string; embed: unknown; thread: unknown };

type Schedule = {
  at: string | null;
  /** The post that is changed takes no room beside itself. */
  changed?: { id: string; isMoved: boolean };
};

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Until the transaction ends no two of a member's posts can take the same room. */
export async function lockMember(tx: Db, userId: string): Promise<void> {
  const locked = await tx.execute(sql`select from users where id = ${userId} for no key update`);
  if (locked === 0) throw new AppError('unauthenticated');
}

export async function requireSchedulable(
  tx: Db,
  userId: string,
  post: Measured,
  { at: wanted, changed }: Schedule,
): Promise<void> {
  const me = await findMe(tx, userId);
  if (me === null) throw new AppError('unauthenticated');
  const [reason] = standingClauses(me);
  if (reason !== undefined) throw refusal(reason);
  const parts = [post, ...(Array.isArray(post.thread) ? post.thread : [])];
  if (parts.some((part) => hasVideo(propertyOf(part, 'embed')))) {
    throw invalidField('images', 'Video is not available yet');
  }
  const now = new Date(me.now);
  const at = wanted === null ? now : new Date(wanted);
  if (at.getTime() < now.getTime() - MINUTE && changed?.isMoved !== false) {
    throw invalidField('scheduledAt', 'Choose a time that is not past');
  }
  const limits = limitsOf(me.limits ?? {});
  const passed =
    passedByContent(limits, parts) ??
    passedByTime(limits, at, now) ??
    (await passedByOthers(tx, me, limits, at, changed?.id ?? null));
  if (passed !== null) throw limitReached(passed);
}

function refusal(reason: StandingWord): AppError {
  if (reason === 'service_suspended') return new AppError(reason, { retryAfterSeconds: 60 });
  const message = 'This service is in closed beta. You need an access keyword to schedule posts';
  return new AppError('may_not_schedule', reason === 'closed_beta' ? { message } : {});
}

type Limits = (name: PlanLimitName, otherwise: number) => number;

const limitsOf =
  (limits: PlanLimits): Limits =>
  (name, otherwise) => {
    const limit =
      name === 'thread_posts_limit' && limits['thread_posts'] !== true ? 0 : limits[name];
    return typeof limit === 'number' ? limit : otherwise;
  };

function passedByContent(limits: Limits, parts: readonly unknown[]): PassedLimit | null {
  const most = (measure: (part: unknown) => number) => Math.max(...parts.map(measure));
  const counts = [
    {
      name: 'max_post_length',
      allowed: Math.min(limits('max_post_length', Infinity), NETWORK_LIMITS.characters),
      used: most((part) => countGraphemes(textOf(propertyOf(part, 'content')))),
    },
    {
      name: 'max_images_per_post',
      allowed: limits('max_images_per_post', NETWORK_LIMITS.images),
      used: most((part) => lengthOf(picturesIn(propertyOf(part, 'embed')))),
    },
    {
      name: 'thread_posts_limit',
      allowed: limits('thread_posts_limit', PLAN_LIMIT_RANGES.thread_posts_limit.min),
      used: parts.length - 1,
    },
  ] as const;
  const passed = counts.find(({ allowed, used }) => used > allowed);
  return passed ? { ...passed, endsAt: null } : null;
}

function passedByTime(limits: Limits, at: Date, now: Date): PassedLimit | null {
  const allowed = limits('max_schedule_days', UNLIMITED);
  const used = Math.ceil((at.getTime() - now.getTime()) / DAY);
  const isPassed = allowed !== UNLIMITED && used > allowed;
  return isPassed ? { name: 'max_schedule_days', allowed, used, endsAt: null } : null;
}

/** Other posts are counted no further than the limit: beyond it nothing changes. */
async function passedByOthers(
  tx: Db,
  me: MeRow,
  limits: Limits,
  at: Date,
  changedId: string | null,
): Promise<PassedLimit | null> {
  const slot = limits('schedule_interval_minutes', 1) * MINUTE;
  const slotStarts = new Date(Math.floor(at.getTime() / slot) * slot);
  const slotEnds = new Date(slotStarts.getTime() + slot);
  const perSlot = limits('concurrent_posts_limit', UNLIMITED);
  const perMonth = limits('monthly_posts_limit', UNLIMITED);
  const pending = limits('pending_posts_limit', UNLIMITED);
  const count = (from: Date, to: Date, most: number) =>
    most === UNLIMITED
      ? sql`0`
      : postsBetween(
          sql`${me.id}::uuid`,
          sql`${from.toISOString()}::timestamptz`,
          sql`${to.toISOString()}::timestamptz`,
          { most, except: changedId },
        );
  const used = await tx.one<{ slot: number; month: number }>(sql`
    select ${count(slotStarts, slotEnds, perSlot)} as slot,
      ${count(monthOf(at), monthAfter(at), perMonth)} as month`);
  const counts = [
    { name: 'concurrent_posts_limit', allowed: perSlot, used: used.slot, endsAt: slotEnds },
    { name: 'monthly_posts_limit', allowed: perMonth, used: used.month, endsAt: monthAfter(at) },
    {
      name: 'pending_posts_limit',
      allowed: changedId === null ? pending : UNLIMITED,
      used: me.pendingPosts,
      endsAt: null,
    },
  ] as const;
  const full = counts.find(({ allowed, used: n }) => allowed !== UNLIMITED && n >= allowed);
  return full ? { ...full, endsAt: full.endsAt?.toISOString() ?? null } : null;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : 0);
