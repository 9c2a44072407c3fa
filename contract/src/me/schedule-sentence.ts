import type { SchedulingWord } from '../verdict.ts';

/** How far a person has used up a limit. */
export type LimitUse = { monthly: number; pending: number; monthEndsAt: string };

const OPERATOR = 'Ask the operator of this service.';
const UNUSABLE = `Your account cannot be used here. ${OPERATOR}`;

/** Why a person cannot schedule a post now, and what to do about it. */
export const SCHEDULE_SENTENCES: Record<SchedulingWord, (limits: LimitUse) => string> = {
  service_suspended: () => 'The service is paused. You can schedule again when it goes on.',
  inactive: () => UNUSABLE,
  blocked: () => UNUSABLE,
  suspended: () => `Your account is suspended here. You can look, but change nothing. ${OPERATOR}`,
  restricted: () =>
    `You cannot schedule new posts. What is scheduled already goes out. ${OPERATOR}`,
  closed_beta: () => 'This service is in closed beta. You need an access keyword to schedule.',
  monthly_posts: ({ monthly, monthEndsAt }) =>
    `Your plan allows ${posts(monthly)} a month, and all are used. You can schedule posts for the next month, which begins on ${dayOf(monthEndsAt)} (UTC).`,
  pending_posts: ({ pending }) =>
    `Your plan allows ${posts(pending, 'waiting ')}, and you have that many. Wait until one is published, or cancel one.`,
};

function posts(n: number, kind = ''): string {
  return `${n} ${kind}${n === 1 ? 'post' : 'posts'}`;
}

function dayOf(instant: string): string {
  return new Date(instant).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
}
