import { planCreate } from '@meridian/contract';
import { expectNoSidewaysScroll } from './support/layout.ts';
import {
  field,
  fillRequiredOfPlan,
  openPlanCreate,
  submitPlan,
  toggle,
} from './support/plan-form.ts';
import { samplePlan } from './support/samples.ts';
import { expect, test } from './support/test.ts';

test('what the network itself allows stands at the fields', async ({ page, standIn }) => {
  await openPlanCreate(page, standIn);
  await toggle(page, 'Thread posts').click();
  for (const [name, hint] of [
    ['Max post length', 'Bluesky allows 300 characters per post.'],
    ['Thread posts limit', '25 posts per thread in total'],
    ['Max images per post', '4 images'],
    ['Max image size (MB)', '1 MB'],
  ] as const) {
    await expect(field(page, name)).toHaveAccessibleDescription(new RegExp(hint));
  }
});

test('every number tells its bounds', async ({ page, standIn }) => {
  await openPlanCreate(page, standIn);
  await toggle(page, 'Thread posts').click();
  await toggle(page, 'Video upload').click();
  for (const [name, min, max] of [
    ['Monthly posts', '-1', null],
    ['Pending posts', '-1', null],
    ['Storage (MB)', '-1', null],
    ['API rate limit per hour', '-1', null],
    ['Data retention days', '-1', null],
    ['Max schedule days', '1', null],
    ['Thread posts limit', '1', '24'],
    ['Max images per post', '0', '4'],
    ['Max image size (MB)', '1', null],
    ['Max video size (MB)', '0', null],
    ['Video minutes per month', '0', null],
    ['Max post length', '1', '1000'],
  ] as const) {
    await expect(field(page, name), name).toHaveAttribute('min', min);
    if (max !== null) await expect(field(page, name), name).toHaveAttribute('max', max);
  }
});

test('asks for what is missing, word for word, and leads there', async ({ page, standIn }) => {
  await openPlanCreate(page, standIn);
  await page.getByRole('tab', { name: 'Japanese' }).click();
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
  expect(standIn.callsTo(planCreate)).toEqual([]);
});

for (const [name, value, message] of [
  ['Monthly posts', '-2', 'Monthly posts must be a whole number of at least -1'],
  ['Max post length', '1001', 'Max post length must be a whole number from 1 to 1000'],
  ['Max images per post', '2.5', 'Max images per post must be a whole number from 0 to 4'],
  ['Storage (MB)', '', 'Storage must be a whole number of at least -1'],
  ['Display order', '-1', 'Display order must be a whole number of at least 0'],
  ['Display order', '99999999999', 'Display order must be at most 2147483647'],
  ['Monthly posts', '1,000', 'Monthly posts must be a whole number of at least -1'],
  ['Monthly posts', '1.000', 'Monthly posts must be a whole number of at least -1'],
  ['Monthly posts', '1e3', 'Monthly posts must be a whole number of at least -1'],
  ['Monthly posts', '\uff11\uff12', 'Monthly posts must be a whole number of at least -1'],
  ['Monthly posts', '999999999999', 'Monthly posts must be at most 2147483647'],
] as const) {
  test(`${name} refuses ${JSON.stringify(value)}`, async ({ page, standIn }) => {
    await openPlanCreate(page, standIn);
    await fillRequiredOfPlan(page);
    await field(page, name).fill(value);
    await submitPlan(page).click();
    await expect(field(page, name)).toHaveAccessibleDescription(new RegExp(message));
    await expect(field(page, name)).toBeFocused();
    expect(standIn.callsTo(planCreate)).toEqual([]);
  });
}

test('the thread toggle reveals its limit, and takes it out of the way', async ({
  page,
  standIn,
}) => {
  await openPlanCreate(page, standIn);
  standIn.on(planCreate, { body: { plan: samplePlan() } });
  await fillRequiredOfPlan(page);
  await expect(field(page, 'Thread posts limit')).toHaveCount(0);
  await toggle(page, 'Thread posts').click();
  await expect(field(page, 'Thread posts limit')).toHaveValue('1');
  await field(page, 'Thread posts limit').fill('25');
  await submitPlan(page).click();
  await expect(field(page, 'Thread posts limit')).toHaveAccessibleDescription(
    /Thread posts limit must be a whole number from 1 to 24/,
  );
  await toggle(page, 'Thread posts').click();
  await submitPlan(page).click();
  await expect.poll(() => standIn.callsTo(planCreate)).toHaveLength(1);
  expect(standIn.callsTo(planCreate)[0]?.body).toMatchObject({
    limits: { thread_posts: false, thread_posts_limit: 1 },
  });
});

test('Unlimited is a checkbox, and -1 to the server', async ({ page, standIn }) => {
  await openPlanCreate(page, standIn);
  standIn.on(planCreate, { body: { plan: samplePlan() } });
  await fillRequiredOfPlan(page);
  const unlimited = (name: string) =>
    page.getByRole('checkbox', { name: `Unlimited ${name}`, exact: true });
  await expect(page.getByRole('checkbox', { name: /^Unlimited/ })).toHaveCount(6);
  await expect(field(page, 'Max schedule days')).toHaveValue('7');
  await unlimited('Storage (MB)').check();
  await expect(field(page, 'Storage (MB)')).toBeDisabled();
  await unlimited('Pending posts').check();
  await unlimited('Pending posts').uncheck();
  await expect(field(page, 'Pending posts')).toHaveValue('3');
  // Typed as a number it means the same, and the field stays until it is left.
  await field(page, 'Monthly posts').fill('-1');
  await expect(unlimited('Monthly posts')).toBeChecked();
  await expect(field(page, 'Monthly posts')).toBeFocused();
  await submitPlan(page).click();
  await expect(page.getByText('Plan created successfully: creator')).toBeVisible();
  expect(standIn.callsTo(planCreate)[0]?.body).toMatchObject({
    limits: { storage_mb: -1, pending_posts_limit: 3, monthly_posts_limit: -1 },
  });
});

test('the video toggle reveals its limits, and takes them out of the way', async ({
  page,
  standIn,
}) => {
  await openPlanCreate(page, standIn);
  standIn.on(planCreate, { body: { plan: samplePlan() } });
  await fillRequiredOfPlan(page);
  await expect(field(page, 'Max video size (MB)')).toHaveCount(0);
  await expect(field(page, 'Video minutes per month')).toHaveCount(0);
  await toggle(page, 'Video upload').click();
  await expect(field(page, 'Max video size (MB)')).toHaveValue('0');
  await expect(field(page, 'Video minutes per month')).toHaveValue('0');
  await field(page, 'Max video size (MB)').fill('much');
  await field(page, 'Video minutes per month').fill('60');
  await toggle(page, 'Video upload').click();
  await submitPlan(page).click();
  await expect.poll(() => standIn.callsTo(planCreate)).toHaveLength(1);
  expect(standIn.callsTo(planCreate)[0]?.body).toMatchObject({
    limits: { video_upload_enabled: false, max_video_size_mb: null },
  });
});

test('a number that cannot be read stays as it was typed when an arrow is pressed', async ({
  page,
  standIn,
}) => {
  await openPlanCreate(page, standIn);
  await field(page, 'Monthly posts').fill('1,000');
  await field(page, 'Monthly posts').press('ArrowUp');
  await expect(field(page, 'Monthly posts')).toHaveValue('1,000');
});

test('on a phone the languages stand on one line, which scrolls to the chosen one', async ({
  page,
  standIn,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openPlanCreate(page, standIn);
  const tabs = page.getByRole('tab');
  await expect(tabs).toHaveCount(7);
  const tops = await tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  await tabs.first().press('End');
  await expect(tabs.last()).toHaveAttribute('aria-selected', 'true');
  await expect(tabs.last()).toBeInViewport({ ratio: 1 });
  await expectNoSidewaysScroll(page);
});
