import { expect, test } from 'vitest';
import { limitEntries, limitLabel, limitsInForce, limitText } from './limits.tsx';

// Proves 2.58, 3.16, 3.17, 9.17
test.each([
  ['monthly_posts_limit', -1, 'Monthly posts', 'Unlimited'],
  ['max_video_size_mb', null, 'Max video size', 'N/A'],
  ['storage_mb', 10_240, 'Storage', '10 GB'],
  ['schedule_interval_minutes', 5, 'Schedule interval', '5 min'],
  ['markdown_support', true, 'Markdown support', 'Yes'],
  ['new_kind_of_limit', 1200, 'New kind of limit', '1,200'],
] as const)('%s %s', (name, value, label, text) => {
  expect([limitLabel(name), limitText(name, value)]).toEqual([label, text]);
});

test('known limits come in their usual order, unknown ones last', () => {
  const names = limitEntries({ zeta: 1, storage_mb: 1, monthly_posts_limit: 1 });
  expect(names.map(([name]) => name)).toEqual(['monthly_posts_limit', 'storage_mb', 'zeta']);
});

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
