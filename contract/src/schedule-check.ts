import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { UNLIMITED, count, timestamp } from './fields.ts';
import { limitValue } from './plan-limits.ts';
import type { UserStatus } from './users.ts';

export const SCHEDULE_CHECK_MESSAGES = {
  loadFailed: 'Failed to load what this user can do',
} as const;

/** NONE is for networks that ask for no connection. */
export const ACCOUNT_STATES = [
  'NONE',
  'CONNECTED',
  'RECONNECT',
  'DEACTIVATED',
  'TAKEN_DOWN',
  'GONE',
] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

/** The connection to a user's account on the network. It never shows a token. */
export const connection = z.object({
  state: z.enum(ACCOUNT_STATES),
  host: z.nullable(z.string()),
  since: z.nullable(timestamp),
});

/** The page on which a cause can be removed; `none` is for causes that no administrator can remove. */
const CONTROLS = ['user', 'settings', 'assignments', 'posts', 'none'] as const;
type Control = (typeof CONTROLS)[number];

type StandingFacts = {
  status: UserStatus;
  isActive: boolean;
  isClosedBeta: boolean;
  /** A newcomer came after closed beta was turned on; other users are unaffected. */
  isNewcomer: boolean;
  hasKeyword: boolean;
  isSuspended: boolean;
};

export type ScheduleFacts = StandingFacts & {
  /** Null without an assignment or an active free plan: then nothing is limited. */
  limits: { monthlyPosts: number; pendingPosts: number } | null;
  usage: { monthlyPosts: number; pendingPosts: number };
  account: AccountState;
};

const CLAUSES = {
  service_suspended: { sentence: 'the service is suspended', control: 'settings' },
  inactive: { sentence: 'the user is deactivated', control: 'user' },
  blocked: { sentence: 'the user is blocked', control: 'user' },
  suspended: { sentence: 'the user is suspended', control: 'user' },
  restricted: { sentence: 'the user is restricted to what is scheduled already', control: 'user' },
  closed_beta: {
    sentence: 'the service is in closed beta and the user has no access keyword',
    control: 'settings',
  },
  monthly_posts: { sentence: 'the monthly posts of the plan are used up', control: 'assignments' },
  pending_posts: { sentence: 'the plan allows no more pending posts', control: 'posts' },
  reconnect: { sentence: 'the user must connect the account', control: 'none' },
  account_deactivated: { sentence: 'the owner has deactivated the account', control: 'none' },
  taken_down: { sentence: 'the host has taken the account down', control: 'none' },
  account_gone: { sentence: 'the account no longer exists', control: 'none' },
} as const satisfies Record<string, { sentence: string; control: Control }>;
export type ClauseWord = keyof typeof CLAUSES;
/** The state of an account keeps posts only from going out. */
type SchedulingWord = Exclude<
  ClauseWord,
  'reconnect' | 'account_deactivated' | 'taken_down' | 'account_gone'
>;
export type StandingWord = Exclude<SchedulingWord, 'monthly_posts' | 'pending_posts'>;

const ACCOUNT_CLAUSES: Record<AccountState, ClauseWord | null> = {
  NONE: null,
  CONNECTED: null,
  RECONNECT: 'reconnect',
  DEACTIVATED: 'account_deactivated',
  TAKEN_DOWN: 'taken_down',
  GONE: 'account_gone',
};

export function schedulingClauses(facts: ScheduleFacts): SchedulingWord[] {
  const { limits, usage } = facts;
  return [
    ...standingClauses(facts),
    ...wordsOf([
      ['monthly_posts', isUsedUp(limits?.monthlyPosts, usage.monthlyPosts)],
      ['pending_posts', isUsedUp(limits?.pendingPosts, usage.pendingPosts)],
    ] as const),
  ];
}

/** Every reason that no plan changes. */
export function standingClauses(facts: StandingFacts): StandingWord[] {
  return wordsOf([
    ['service_suspended', facts.isSuspended],
    ...statusClauses(facts),
    ['restricted', facts.status === 'RESTRICTED'],
    ['closed_beta', facts.isClosedBeta && facts.isNewcomer && !facts.hasKeyword],
  ] as const);
}

/** Every reason why a post due now would not go out: those of the engine's claim, but for `quota`. */
export function publishingClauses(facts: ScheduleFacts): ClauseWord[] {
  const ofAccount = ACCOUNT_CLAUSES[facts.account];
  return [
    ...wordsOf([['service_suspended', facts.isSuspended] as const, ...statusClauses(facts)]),
    ...(ofAccount === null ? [] : [ofAccount]),
  ];
}

function isUsedUp(limit = UNLIMITED, used = 0): boolean {
  return limit !== UNLIMITED && used >= limit;
}

function statusClauses({ isActive, status }: StandingFacts) {
  return [
    ['inactive', !isActive],
    ['blocked', status === 'BLOCKED'],
    ['suspended', status === 'SUSPENDED'],
  ] as const;
}

function wordsOf<Word>(clauses: readonly (readonly [Word, boolean])[]): Word[] {
  return clauses.filter(([, holds]) => holds).map(([word]) => word);
}

export function clauseOf(word: ClauseWord): Clause {
  return { word, ...CLAUSES[word] };
}

const clause = z.object({ word: z.string(), sentence: z.string(), control: z.enum(CONTROLS) });
export type Clause = z.output<typeof clause>;

const limit = z.object({
  name: z.string(),
  plan: limitValue,
  override: limitValue,
  effective: limitValue,
  usage: z.nullable(count),
});
export type ScheduleLimit = z.output<typeof limit>;

export const scheduleCheck = z.object({
  /** Nothing can be scheduled while there is any clause. */
  scheduling: z.array(clause),
  publishing: z.array(clause),
  account: connection,
  source: z.nullable(
    z.object({
      plan: z.string(),
      tier: z.string(),
      /** Null for the free plan that applies without an assignment. */
      assignmentId: z.nullable(z.string()),
      ticketCode: z.nullable(z.string()),
      expiresAt: z.nullable(timestamp),
    }),
  ),
  /** Monthly posts are those of the calendar month in UTC. */
  limits: z.array(limit),
});
export type ScheduleCheck = z.output<typeof scheduleCheck>;

export const scheduleCheckGet = endpoint({
  name: 'scheduleCheckGet',
  method: 'GET',
  path: '/api/admin/users/{id}/schedule-check',
  right: 'users:read',
  summary: 'Whether a user can schedule and publish, why not, and the limits in force',
  answer: z.object({ scheduleCheck }),
});

type LimitUse = { monthly: number; pending: number; monthEndsAt: string };

const OPERATOR = 'Ask the operator of this service.';
const UNUSABLE = `Your account cannot be used here. ${OPERATOR}`;

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
