import { expect, test } from 'vitest';
import { UNLIMITED } from './fields.ts';
import {
  ACCOUNT_STATES,
  clauseOf,
  publishingClauses,
  schedulingClauses,
} from './schedule-check.ts';
import type { ClauseWord, ScheduleFacts } from './schedule-check.ts';
import { USER_STATUSES } from './users.ts';

const FLAGS = [false, true];
const LIMITS = { monthlyPosts: 10, pendingPosts: 3 };
const PLANS: ScheduleFacts['limits'][] = [
  null,
  LIMITS,
  { monthlyPosts: UNLIMITED, pendingPosts: UNLIMITED },
];
const USAGES = [
  { monthlyPosts: 9, pendingPosts: 2 },
  { monthlyPosts: 10, pendingPosts: 2 },
  { monthlyPosts: 9, pendingPosts: 3 },
  { monthlyPosts: 11, pendingPosts: 4 },
];

/** Each combination of everything that the scheduleCheck depends on. */
const ALL: ScheduleFacts[] = USER_STATUSES.flatMap((status) =>
  FLAGS.flatMap((isActive) =>
    FLAGS.flatMap((isClosedBeta) =>
      FLAGS.flatMap((isNewcomer) =>
        FLAGS.flatMap((hasKeyword) =>
          FLAGS.flatMap((isSuspended) =>
            PLANS.flatMap((limits) =>
              USAGES.flatMap((usage) =>
                ACCOUNT_STATES.map((account) => ({
                  status,
                  isActive,
                  isClosedBeta,
                  isNewcomer,
                  hasKeyword,
                  isSuspended,
                  limits,
                  usage,
                  account,
                })),
              ),
            ),
          ),
        ),
      ),
    ),
  ),
);

/** When each clause is among the reasons: why nothing is scheduled, and why nothing goes out. */
const RULES: Record<ClauseWord, [scheduling: boolean, publishing: boolean, Holds]> = {
  service_suspended: [true, true, ({ isSuspended }) => isSuspended],
  inactive: [true, true, ({ isActive }) => !isActive],
  blocked: [true, true, ({ status }) => status === 'BLOCKED'],
  suspended: [true, true, ({ status }) => status === 'SUSPENDED'],
  restricted: [true, false, ({ status }) => status === 'RESTRICTED'],
  closed_beta: [true, false, (f) => f.isClosedBeta && f.isNewcomer && !f.hasKeyword],
  monthly_posts: [true, false, (f) => f.limits === LIMITS && f.usage.monthlyPosts >= 10],
  pending_posts: [true, false, (f) => f.limits === LIMITS && f.usage.pendingPosts >= 3],
  reconnect: [false, true, ({ account }) => account === 'RECONNECT'],
  account_deactivated: [false, true, ({ account }) => account === 'DEACTIVATED'],
  taken_down: [false, true, ({ account }) => account === 'TAKEN_DOWN'],
  account_gone: [false, true, ({ account }) => account === 'GONE'],
};
type Holds = (facts: ScheduleFacts) => boolean;

test('every combination has exactly the reasons of the table', () => {
  expect(ALL).toHaveLength(4 * 2 ** 5 * 3 * 4 * 6);
  const rules = Object.entries(RULES);
  const expected = (facts: ScheduleFacts, part: 0 | 1) =>
    rules.filter(([, rule]) => rule[part] && rule[2](facts)).map(([word]) => word);
  const differing = ALL.filter(
    (facts) =>
      schedulingClauses(facts).toSorted().join() !== expected(facts, 0).toSorted().join() ||
      publishingClauses(facts).toSorted().join() !== expected(facts, 1).toSorted().join(),
  );
  expect(differing).toEqual([]);
});

test('a user without a reason against it can, and a restricted one only publishes', () => {
  const usual: ScheduleFacts = {
    status: 'ACTIVE',
    isActive: true,
    isClosedBeta: true,
    isNewcomer: false,
    hasKeyword: false,
    isSuspended: false,
    limits: LIMITS,
    usage: { monthlyPosts: 9, pendingPosts: 2 },
    account: 'NONE',
  };
  expect([schedulingClauses(usual), publishingClauses(usual)]).toEqual([[], []]);
  const restricted = { ...usual, status: 'RESTRICTED' as const };
  expect([schedulingClauses(restricted), publishingClauses(restricted)]).toEqual([
    ['restricted'],
    [],
  ]);
  expect(clauseOf('restricted').control).toBe('user');
});
