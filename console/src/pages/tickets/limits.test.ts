import { expect, test } from 'vitest';
import { PLAN_LIMIT_LABELS } from '@meridian/contract/plan-limits';
import { OVERRIDE_NAMES } from '@meridian/contract/tickets';
import { compareLimits, countOverrides } from './limits.tsx';

const flat = (...args: Parameters<typeof compareLimits>) =>
  compareLimits(...args).flatMap(({ limits }) => limits);

test('every limit has its place in one of the four groups', () => {
  const groups = compareLimits({}, null);
  expect(groups.map(({ title }) => title)).toEqual([
    'Posts & Scheduling',
    'Content',
    'Images',
    'Video',
  ]);
  const names = groups.flatMap(({ limits }) => limits.map(({ name }) => name));
  expect(names.toSorted()).toEqual(Object.keys(PLAN_LIMIT_LABELS).toSorted());
});

// Proves 3.24
test('an override counts, even of the same value or of false; null does not', () => {
  const plan = { monthly_posts_limit: 10, thread_posts: true, max_post_length: 300 };
  const override = { monthly_posts_limit: 10, thread_posts: false, max_post_length: null };
  expect(countOverrides(compareLimits(plan, override))).toBe(2);
  expect(flat(plan, override).filter(({ isOverridden }) => isOverridden)).toEqual([
    { name: 'monthly_posts_limit', ofPlan: 10, effective: 10, isOverridden: true },
    { name: 'thread_posts', ofPlan: true, effective: false, isOverridden: true },
  ]);
  expect(flat(plan, override).find(({ name }) => name === 'max_post_length')?.effective).toBe(300);
});

test('no override at all is none', () => {
  expect(countOverrides(compareLimits({ monthly_posts_limit: 10 }, null))).toBe(0);
});

test('all seven overrides can be seen', () => {
  const override = Object.fromEntries(OVERRIDE_NAMES.map((name) => [name, 1]));
  expect(countOverrides(compareLimits({}, override))).toBe(7);
});

test('a limit without a group is shown among the content', () => {
  const content = compareLimits({ gifs_per_day: 3 }, { gifs_per_day: 5 })[1];
  expect(content?.limits.at(-1)).toEqual({
    name: 'gifs_per_day',
    ofPlan: 3,
    effective: 5,
    isOverridden: true,
  });
});
