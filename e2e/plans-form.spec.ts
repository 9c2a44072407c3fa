import { currencyList, planGet, planList } from '@meridian/contract';
import type { App } from './support/app.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import {
  field,
  fillRequiredOfPlan,
  openPlanForm,
  submitPlan,
  toggle,
} from './support/plan-form.ts';
import { expect, test } from './support/test.ts';

/** The one plan that the server has, as it stored it. */
async function storedPlan(app: App) {
  const query = { includeInactive: true, includeInvisible: true };
  const { plans } = await app.meridian.call(planList, { query });
  expect(plans).toHaveLength(1);
  return (await app.meridian.call(planGet, { params: { id: plans[0]?.id ?? '' } })).plan;
}

// Proves 7.30
test('a plan is created with a value in every field, and not twice under one name', async ({
  page,
  app,
}) => {
  const held = await app.hold(currencyList);
  await watchLayoutShift(page);
  await app.open('/plans/create');
  await expect(page.getByRole('status').getByText('Loading...')).toBeVisible();
  held.release();
  await expect(field(page, 'Name')).toBeVisible();
  await expectNoLayoutShift(page);
  await toggle(page, 'Paid plan').click();
  await submitPlan(page).click();
  await expect(field(page, 'Tier')).toBeFocused();
  await expectAccessibleInTwoLooks(page);

  await fillRequiredOfPlan(page);
  await field(page, 'Features').fill('Ten posts\nTwo pictures');
  await page.getByRole('tab', { name: 'Japanese' }).click();
  await field(page, 'Display name').fill('クリエイター');
  await field(page, 'Monthly price (USD)').fill('4.90');
  await field(page, 'Yearly price (JPY)').fill('7000');
  await field(page, 'Default currency').selectOption('jpy');
  await field(page, 'Monthly posts').fill('-1');
  await field(page, 'Schedule interval').selectOption('5 minutes');
  await toggle(page, 'Thread posts').click();
  await field(page, 'Thread posts limit').fill('24');
  await toggle(page, 'Markdown support').click();
  await toggle(page, 'Video upload').click();
  await field(page, 'Video minutes per month').fill('60');
  await field(page, 'Concurrent posts').fill('20');
  await field(page, 'Display order').fill('30');
  await toggle(page, 'Visible').click();
  await submitPlan(page).click();
  await expect(page.getByText('Plan created successfully: creator', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/plans$/);
  expect(await storedPlan(app)).toMatchObject({
    tier: 'BASIC',
    name: 'creator',
    displayName: { en: 'Creator', ja: 'クリエイター' },
    description: { en: 'For every day' },
    priceMonthly: { usd: 4.9 },
    priceYearly: { jpy: 7000 },
    currency: 'jpy',
    limits: {
      monthly_posts_limit: -1,
      pending_posts_limit: 3,
      concurrent_posts_limit: 20,
      max_schedule_days: 7,
      schedule_interval_minutes: 5,
      markdown_support: true,
      max_images_per_post: 1,
      max_image_size_mb: 1,
      thread_posts: true,
      thread_posts_limit: 24,
      video_upload_enabled: true,
      max_video_size_mb: null,
      video_processing_minutes_per_month: 60,
      max_post_length: 300,
      storage_mb: 100,
      api_rate_limit_per_hour: 60,
      data_retention_days: 30,
    },
    features: { en: ['Ten posts', 'Two pictures'] },
    displayOrder: 30,
    isActive: true,
    isVisible: false,
  });

  await openPlanForm(page, app);
  await fillRequiredOfPlan(page);
  await submitPlan(page).click();
  await expect(field(page, 'Name')).toHaveAccessibleDescription(
    /A plan with this name already exists/,
  );
});
