import { currencyList, planCreate } from '@meridian/contract';
import { gate } from './support/gate.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import {
  field,
  fillRequiredOfPlan,
  JPY,
  openPlanCreate,
  planBody,
  submitPlan,
  toggle,
  USD,
} from './support/plan-form.ts';
import { samplePlan } from './support/samples.ts';
import { stopClock, tickUntil } from './support/stopped-clock.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

test('starts with the defaults of the specification', async ({ page, standIn }) => {
  await openPlanCreate(page, standIn);
  await expect(page.getByRole('heading', { level: 1, name: 'Create New Plan' })).toBeVisible();
  await expect(page).toHaveTitle('Create New Plan · Meridian');
  await expect(field(page, 'Tier').getByRole('option')).toHaveText([
    'FREE',
    'BASIC',
    'PREMIUM',
    'ENTERPRISE',
  ]);
  for (const [name, value] of [
    ['Monthly posts', '10'],
    ['Pending posts', '3'],
    ['Concurrent posts', ''],
    ['Max schedule days', '7'],
    ['Max post length', '300'],
    ['Max images per post', '1'],
    ['Max image size (MB)', '1'],
    ['Storage (MB)', '100'],
    ['API rate limit per hour', '60'],
    ['Data retention days', '30'],
    ['Display order', '0'],
  ] as const) {
    await expect(field(page, name), name).toHaveValue(value);
  }
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
  expect(standIn.callsTo(currencyList)[0]?.url).toBe('/api/admin/currencies?includeInactive=true');
});

test('sends every field once, says so, and returns after two seconds', async ({
  page,
  standIn,
}) => {
  await page.clock.install();
  await openPlanCreate(page, standIn);
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

  const slow = gate();
  standIn.on(planCreate, { status: 201, body: { plan: samplePlan() }, until: slow.opened });
  await stopClock(page);
  await submitPlan(page).dblclick();
  await expect(page.getByText('Creating...')).toBeVisible();
  slow.open();
  const toast = page.getByText('Plan created successfully: creator', { exact: true });
  await tickUntil(page, () => toast.isVisible());
  await page.clock.runFor(1900);
  await expect(page).toHaveURL(/\/plans\/create$/);
  await page.clock.runFor(200);
  await expect(page).toHaveURL(/\/plans$/);
  await expect(toast).toBeVisible();

  expect(standIn.callsTo(planCreate).map(({ body }) => body)).toEqual([
    {
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
    },
  ]);
});

test('a refusal is said once, and nothing typed is lost', async ({ page, standIn }) => {
  await openPlanCreate(page, standIn);
  await fillRequiredOfPlan(page);
  standIn.on(planCreate, { cut: true });
  await submitPlan(page).click();
  await expect(page.getByRole('alert')).toContainText('Failed to create plan');
  const taken = 'A plan with this name already exists';
  const slow = gate();
  standIn.on(planCreate, {
    status: 409,
    body: { message: taken, code: 'plan_name_taken' },
    until: slow.opened,
  });
  await submitPlan(page).click();
  await expect(page.getByText('Creating...')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  slow.open();
  await expect(field(page, 'Name')).toHaveAccessibleDescription(new RegExp(taken));
  await expect(field(page, 'Name')).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
  standIn.on(planCreate, { status: 409, body: { message: 'Not today' } });
  await submitPlan(page).click();
  await expect(page.getByRole('alert')).toHaveText('Not today');

  await toggle(page, 'Paid plan').click();
  await field(page, 'Monthly price (JPY)').fill('999');
  const sentence = 'There is no currency JPY';
  standIn.on(planCreate, {
    status: 400,
    body: { message: sentence, issues: [{ path: 'priceMonthly.jpy', message: sentence }] },
  });
  await submitPlan(page).click();
  await expect(field(page, 'Monthly price (JPY)')).toHaveAccessibleDescription(sentence);
  await expect(field(page, 'Monthly price (JPY)')).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(field(page, 'Name')).toHaveValue('creator');
  await expect(page).toHaveURL(/\/plans\/create$/);
});

test('leaving with unsaved changes asks first', async ({ page, standIn }) => {
  await openPlanCreate(page, standIn);
  await field(page, 'Name').fill('creator');
  await page.getByRole('link', { name: 'Cancel' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(/\/plans\/create$/);
  await expect(field(page, 'Name')).toHaveValue('creator');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page).toHaveURL(/\/plans$/);
});

test('works by keyboard alone', async ({ page, standIn }) => {
  await openPlanCreate(page, standIn);
  standIn.on(planCreate, { body: { plan: samplePlan() } });
  await fillRequiredOfPlan(page);
  await page.getByRole('tab', { name: /English/ }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('tab', { name: 'Portuguese' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type('Criador');
  await expect(page.getByRole('tab', { name: /Portuguese/ })).toHaveText('Portuguese, has text');
  await toggle(page, 'Thread posts').press('Space');
  await expect(field(page, 'Thread posts limit')).toBeVisible();
  await field(page, 'Thread posts limit').press('ArrowUp');
  await field(page, 'Thread posts limit').press('Enter');
  await expect(page.getByText('Plan created successfully: creator')).toBeVisible();
  expect(standIn.callsTo(planCreate)[0]?.body).toMatchObject({
    displayName: { en: 'Creator', pt: 'Criador' },
    limits: { thread_posts: true, thread_posts_limit: 2 },
  });
});

test('opens without moving anything, and is accessible', async ({ page, standIn }) => {
  const answer = gate();
  standIn.on(currencyList, { body: { currencies: [USD, JPY] }, until: answer.opened });
  await watchLayoutShift(page);
  await visit(page, standIn, '/plans/create');
  await expect(page.getByRole('status').getByText('Loading...')).toBeVisible();
  answer.open();
  await expect(field(page, 'Name')).toBeVisible();
  await expectNoLayoutShift(page);
  await toggle(page, 'Paid plan').click();
  await submitPlan(page).click();
  await expect(field(page, 'Tier')).toBeFocused();
  await expectAccessibleInTwoLooks(page);
});

test('between the success and the way back nothing can be typed, and the message has the focus', async ({
  page,
  standIn,
}) => {
  await page.clock.install();
  await openPlanCreate(page, standIn);
  standIn.on(planCreate, { status: 201, body: { plan: samplePlan() } });
  await fillRequiredOfPlan(page);
  await stopClock(page);
  await field(page, 'Name').press('Enter');
  const toast = page.getByText('Plan created successfully: creator', { exact: true });
  await tickUntil(page, () => toast.isVisible());
  await expect(page.locator('form')).toHaveAttribute('inert');
  await expect(page.locator(':focus')).toContainText('Plan created successfully: creator');
  await page.keyboard.type('lost');
  await expect(page.getByLabel('Name').first()).toHaveValue('creator');
});

test('a name that is taken is refused in words', async ({ signedIn: page, meridian }) => {
  const { plan } = await meridian.call(planCreate, { body: planBody(`taken-${Date.now()}`) });
  await page.goto(`${meridian.url}/plans/create`);
  await fillRequiredOfPlan(page);
  await field(page, 'Name').fill(plan.name);
  await submitPlan(page).click();
  await expect(field(page, 'Name')).toHaveAccessibleDescription(
    /A plan with this name already exists/,
  );
  await expect(field(page, 'Name')).toBeFocused();
});
