import { expect, test } from 'vitest';
import { limitsInForce } from './limits-in-force.ts';

test('overrides come before the plan, null overrides nothing, and no limit is lost', () => {
  const plan = { max_post_length: 300, monthly_posts_limit: 10 };
  const overrides = { monthly_posts_limit: -1, max_post_length: null, thread_posts: true };
  expect(
    limitsInForce(plan, overrides).map(({ name, ofPlan, effective, isOverridden }) => [
      name,
      ofPlan,
      effective,
      isOverridden,
    ]),
  ).toEqual([
    ['monthly_posts_limit', 10, -1, true],
    ['thread_posts', undefined, true, true],
    ['max_post_length', 300, 300, false],
  ]);
});
