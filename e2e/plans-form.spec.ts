import { currencyList, planCreate, planGet, planList } from '@meridian/contract';
import type { App } from './support/app.ts';
import { expect, test } from './support/test.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { preload } from './support/navigate.ts';
import {
  field,
  fillRequiredOfPlan,
  openPlanForm,
  submitPlan,
  toggle,
} from './support/plan-form.ts';
import { stopClock, tickUntil } from './support/stopped-clock.ts';

/** The one plan that the server has, as it stored it. */
async function storedPlan(app: App) {
  const query = { includeInactive: true, includeInvisible: true };
  const { plans } = await app.meridian.call(planList, { query });
  expect(plans).toHaveLength(1);
  return (await app.meridian.call(planGet, { params: { id: plans[0]?.id ?? '' } })).plan;
}

// Proves 2.102, 5.10, 5.11, 5.12, 5.13, 5.14, 5.15, 5.17, 9.4, 9.5
test('opens without moving anything, with the defaults, bounds and hints of the specification', async ({
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
  await expect(page.getByRole('heading', { level: 1, name: 'Create New Plan' })).toBeVisible();
  await expect(page).toHaveTitle('Create New Plan · Meridian');
  await expect(field(page, 'Tier').getByRole('option')).toHaveText([
    'FREE',
    'BASIC',
    'PREMIUM',
    'ENTERPRISE',
  ]);
  const interval = field(page, 'Schedule interval');
  await expect(interval.locator(':checked')).toHaveText('10 minutes');
  await expect(interval.getByRole('option')).toHaveText([
    '1 minute',
    '5 minutes',
    '10 minutes',
    '15 minutes',
  ]);
  for (const [name, isOn] of [
    ['Active', true],
    ['Visible', true],
    ['Paid plan', false],
    ['Markdown support', false],
    ['Thread posts', false],
    ['Video upload', false],
  ] as const) {
    await expect(toggle(page, name)).toBeChecked({ checked: isOn });
  }
  await expect(page.getByRole('tab')).toHaveText([
    'English',
    'Japanese',
    'Spanish',
    'French',
    'Korean',
    'German',
    'Portuguese',
  ]);
  await expect(field(page, 'Default currency').locator(':checked')).toHaveText(/^USD/);
  expect(app.callsTo(currencyList)[0]?.url).toBe('/api/admin/currencies?includeInactive=true');

  await toggle(page, 'Thread posts').click();
  await toggle(page, 'Video upload').click();
  for (const [name, value, min, max] of [
    ['Monthly posts', '10', '-1', null],
    ['Pending posts', '3', '-1', null],
    ['Concurrent posts', '', '-1', null],
    ['Max schedule days', '7', '1', null],
    ['Max post length', '300', '1', '1000'],
    ['Max images per post', '1', '0', '4'],
    ['Max image size (MB)', '1', '1', null],
    ['Storage (MB)', '100', '-1', null],
    ['API rate limit per hour', '60', '-1', null],
    ['Data retention days', '30', '-1', null],
    ['Thread posts limit', '1', '1', '24'],
    ['Max video size (MB)', '0', '0', null],
    ['Video minutes per month', '0', '0', null],
    ['Display order', '0', '0', null],
  ] as const) {
    await expect(field(page, name), name).toHaveValue(value);
    await expect(field(page, name), name).toHaveAttribute('min', min);
    if (max !== null) await expect(field(page, name), name).toHaveAttribute('max', max);
  }
  for (const [name, hint] of [
    ['Max post length', 'Bluesky allows 300 characters per post.'],
    ['Thread posts limit', '25 posts per thread in total'],
    ['Max images per post', '4 images'],
    ['Max image size (MB)', '1 MB'],
  ] as const) {
    await expect(field(page, name)).toHaveAccessibleDescription(new RegExp(hint));
  }
});

// Proves 5.5, 5.6
test('asks for what is missing, word for word, and leads there', async ({ page, app }) => {
  await openPlanForm(page, app);
  await page.getByRole('tab', { name: 'Japanese' }).click();
  await toggle(page, 'Paid plan').click();
  await submitPlan(page).click();
  await expect(field(page, 'Tier')).toHaveAccessibleDescription(/Tier and name are required/);
  await expect(field(page, 'Tier')).toBeFocused();
  // All that is missing is marked at once, and no sentence is said twice.
  await expect(field(page, 'Name')).toHaveAccessibleDescription(/^Name is required/);
  await expect(field(page, 'Display name')).toHaveAccessibleDescription(
    'English display name and description are required',
  );
  await expect(field(page, 'Description')).toHaveAccessibleDescription(
    'Description (English) is required',
  );
  await expectAccessibleInTwoLooks(page);
  await toggle(page, 'Paid plan').click();
  await field(page, 'Tier').selectOption('BASIC');
  await expect(field(page, 'Name')).toHaveAccessibleDescription(/Tier and name are required/);
  await field(page, 'Name').fill('creator');

  // The error is behind another tab: that tab comes forward.
  await page.getByRole('tab', { name: 'Japanese' }).click();
  await submitPlan(page).click();
  await expect(page.getByRole('tab', { name: /English/ })).toHaveAttribute('aria-selected', 'true');
  const words = 'English display name and description are required';
  await expect(field(page, 'Display name')).toHaveAccessibleDescription(words);
  await expect(field(page, 'Display name')).toBeFocused();
  await field(page, 'Display name').fill('Creator');
  await expect(field(page, 'Description')).toHaveAccessibleDescription(words);
  await field(page, 'Description').fill('For every day');
  await expect(page.getByText(words)).toHaveCount(0);
  expect(app.callsTo(planCreate)).toEqual([]);
});

test('refuses a number that is out of bounds or cannot be read, at its field', async ({
  page,
  app,
}) => {
  await openPlanForm(page, app);
  await fillRequiredOfPlan(page);
  const wholeNumber = 'Monthly posts must be a whole number of at least -1';
  for (const [name, value, message, accepted] of [
    ['Monthly posts', '-2', wholeNumber, '10'],
    ['Monthly posts', '1,000', wholeNumber, '10'],
    ['Monthly posts', '1.000', wholeNumber, '10'],
    ['Monthly posts', '1e3', wholeNumber, '10'],
    ['Monthly posts', '\uff11\uff12', wholeNumber, '10'],
    ['Monthly posts', '999999999999', 'Monthly posts must be at most 2147483647', '10'],
    ['Max post length', '1001', 'Max post length must be a whole number from 1 to 1000', '300'],
    ['Max images per post', '2.5', 'Max images per post must be a whole number from 0 to 4', '4'],
    ['Storage (MB)', '', 'Storage must be a whole number of at least -1', '100'],
    ['Display order', '-1', 'Display order must be a whole number of at least 0', '0'],
    ['Display order', '99999999999', 'Display order must be at most 2147483647', '0'],
  ] as const) {
    await field(page, name).fill(value);
    await submitPlan(page).click();
    await expect(field(page, name)).toHaveAccessibleDescription(new RegExp(message));
    await expect(field(page, name)).toBeFocused();
    await field(page, name).fill(accepted);
  }
  // What cannot be read stays as it was typed when an arrow is pressed.
  await field(page, 'Monthly posts').fill('1,000');
  await field(page, 'Monthly posts').press('ArrowUp');
  await expect(field(page, 'Monthly posts')).toHaveValue('1,000');
  expect(app.callsTo(planCreate)).toEqual([]);
});

// Proves 2.103, 2.104, 2.110, 4.33, 7.30, 8.48, 9.12
test('sends every field once, says so, and returns after two seconds', async ({ page, app }) => {
  await page.clock.install();
  await openPlanForm(page, app);
  await preload(page, '/plans');
  await fillRequiredOfPlan(page);
  await field(page, 'Name').fill(' creator ');
  await field(page, 'Features').fill(' Ten posts \n\n  \nTwo pictures\n');
  await page.getByRole('tab', { name: 'Japanese' }).click();
  await field(page, 'Display name').fill('クリエイター');
  await expect(page.getByRole('tab')).toHaveText([
    'English, has text',
    'Japanese, has text',
    'Spanish',
    'French',
    'Korean',
    'German',
    'Portuguese',
  ]);
  await toggle(page, 'Paid plan').click();
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

  const held = await app.hold(planCreate);
  await stopClock(page);
  await submitPlan(page).dblclick();
  await expect(page.getByText('Creating...')).toBeVisible();
  held.release();
  const toast = page.getByText('Plan created successfully: creator', { exact: true });
  await tickUntil(page, () => toast.isVisible());
  // Until the way back nothing can be typed, and the message has the focus.
  await expect(page.locator('form')).toHaveAttribute('inert');
  await expect(page.locator(':focus')).toContainText('Plan created successfully: creator');
  await page.keyboard.type('lost');
  await expect(page.getByLabel('Name').first()).toHaveValue(' creator ');
  await page.clock.runFor(1900);
  await expect(page).toHaveURL(/\/plans\/create$/);
  await page.clock.runFor(200);
  await expect(page).toHaveURL(/\/plans$/);
  await expect(toast).toBeVisible();

  const sent = {
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
  };
  expect(app.callsTo(planCreate).map(({ body }) => body)).toEqual([sent]);
  expect(await storedPlan(app)).toMatchObject(sent);
});
