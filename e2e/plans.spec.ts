import { planList, planPublish, planSetActive, planSetVisibility } from '@meridian/contract';
import type { Plan } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { gate } from './support/gate.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectAccessibleInEveryLook } from './support/looks.ts';
import { field, fillRequiredOfPlan, planCard, submitPlan, toggle } from './support/plan-form.ts';
import { samplePlan } from './support/samples.ts';
import type { StandIn } from './support/stand-in.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Plans shown' }).getByRole('button', { name });

async function openList(page: Page, standIn: StandIn, plans: Plan[], search = '') {
  standIn.on(planList, { body: { plans } });
  await visit(page, standIn, `/plans${search}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Plans' })).toBeVisible();
}

test('shows every field of a card and asks for all plans', async ({ page, standIn }) => {
  const studio = samplePlan({ displayOrder: 20 });
  const starter = samplePlan({
    tier: 'FREE',
    displayName: { en: 'Starter' },
    priceMonthly: null,
    priceYearly: null,
    limits: { pending_posts_limit: -1, storage_mb: 100, schedule_interval_minutes: 10 },
    isActive: false,
    isVisible: false,
  });
  await openList(page, standIn, [studio, starter]);

  const full = planCard(page, 'Studio');
  await expect(full.getByText('PREMIUM')).toBeVisible();
  await expect(full.getByText('Active', { exact: true })).toBeVisible();
  await expect(full.getByText('Threads, video and fine-grained times')).toBeVisible();
  await expect(full.getByText('$14.90 / month')).toBeVisible();
  await expect(full.getByText('$149.00 / year')).toBeVisible();
  const entries = (of: typeof full) =>
    of.getByRole('term').or(of.getByRole('definition')).allTextContents();
  expect(await entries(full)).toEqual([
    'Pending posts',
    '120',
    'Interval',
    '5 min',
    'Max length',
    '300',
    'Thread posts',
    '24',
    'Images',
    '4',
    'Image size',
    '1 MB',
    'Storage',
    '10 GB',
    'Order',
    '20',
  ]);

  const free = planCard(page, 'Starter');
  await expect(free.getByText('FREE', { exact: true })).toBeVisible();
  await expect(free.getByText('Inactive')).toBeVisible();
  await expect(free.getByText('Hidden')).toBeVisible();
  await expect(free.getByText('Free / month')).toBeVisible();
  await expect(free.getByText('Free / year')).toBeVisible();
  expect(await entries(free)).toContain('Unlimited');
  expect(standIn.callsTo(planList).map(({ url }) => url)).toEqual([
    '/api/admin/plans?includeInactive=true&includeInvisible=true',
  ]);
});

test('copes with what is missing', async ({ page, standIn }) => {
  const bare = samplePlan({
    tier: 'GOLD',
    name: 'internal-name',
    displayName: { ja: 'ゴールド' },
    description: {},
    priceMonthly: { eur: 5 },
    priceYearly: null,
    limits: {},
  });
  await openList(page, standIn, [bare]);
  const bareCard = planCard(page, 'internal-name');
  await expect(bareCard.getByText('GOLD')).toBeVisible();
  await expect(bareCard.getByText('No description')).toBeVisible();
  await expect(bareCard.getByText('N/A / month')).toBeVisible();
  await expect(bareCard.getByText('N/A / year')).toBeVisible();
  await expect(bareCard.getByRole('definition')).toHaveText([
    'N/A',
    '15 min',
    '300',
    '1',
    '4',
    '1 MB',
    'N/A',
    String(bare.displayOrder),
  ]);
});

test('sorts the plans into five tabs with counts, kept in the address', async ({
  page,
  standIn,
}) => {
  await openList(page, standIn, [
    samplePlan({ displayName: { en: 'One' } }),
    samplePlan({ displayName: { en: 'Two' }, isVisible: false }),
    samplePlan({ displayName: { en: 'Three' }, isActive: false }),
  ]);
  const cards = page.getByRole('heading', { level: 2 });
  await expect(cards).toHaveText(['One', 'Two', 'Three']);
  for (const [name, count, shown] of [
    ['Active', 2, ['One', 'Two']],
    ['Inactive', 1, ['Three']],
    ['Visible', 2, ['One', 'Three']],
    ['Hidden', 1, ['Two']],
  ] as const) {
    await tab(page, `${name} ${count}`).click();
    await expect(page).toHaveURL(new RegExp(`\\?tab=${name.toLowerCase()}$`));
    await expect(tab(page, `${name} ${count}`)).toHaveAttribute('aria-pressed', 'true');
    await expect(cards).toHaveText(shown);
  }
  await page.reload();
  await expect(cards).toHaveText(['Two']);
  await tab(page, 'All 3').click();
  await expect(page).toHaveURL(/\/plans$/);
  await expect(cards).toHaveText(['One', 'Two', 'Three']);
});

test('a tab without plans offers to clear the filter', async ({ page, standIn }) => {
  await openList(page, standIn, [samplePlan()], '?tab=hidden');
  await expect(page.getByText('No plans found')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(planCard(page, 'Studio')).toBeVisible();
});

test('without any plan it leads to the first one', async ({ page, standIn }) => {
  await openList(page, standIn, []);
  await expect(page.getByText('No plans found')).toBeVisible();
  const links = page.getByRole('main').getByRole('link', { name: 'Create New Plan' });
  await expect(links).toHaveCount(2);
  for (const link of await links.all()) await expect(link).toHaveAttribute('href', '/plans/create');
});

test('loads in the boxes of the cards, and nothing moves', async ({ page, standIn }) => {
  const answer = gate();
  standIn.on(planList, { body: { plans: [samplePlan(), samplePlan()] }, until: answer.opened });
  await watchLayoutShift(page);
  await visit(page, standIn, '/plans');
  await expect(page.getByRole('status').getByText('Loading...')).toBeVisible();
  answer.open();
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(2);
  await expect(page.getByText('Loading...')).toHaveCount(0);
  await expectNoLayoutShift(page);
});

for (const [what, answer, message] of [
  ["the server's words", { status: 500, body: { message: 'Resting' } }, 'Resting'],
  ['its own without an answer', { cut: true }, 'Failed to load plans'],
] as const) {
  test(`a failed load says ${what} and can be retried`, async ({ page, standIn }) => {
    standIn.on(planList, answer);
    await visit(page, standIn, '/plans');
    await expect(page.getByRole('alert')).toContainText(message);
    await expect(page.getByText('No plans found')).toHaveCount(0);
    standIn.on(planList, { body: { plans: [samplePlan()] } });
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(planCard(page, 'Studio')).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
}

test('leads to the form of a plan', async ({ page, standIn }) => {
  const plan = samplePlan();
  await openList(page, standIn, [plan]);
  const edit = planCard(page, 'Studio').getByRole('link', { name: 'Edit' });
  await expect(edit).toHaveAttribute('href', `/plans/${plan.id}/edit`);
  await expect(edit).toHaveAccessibleDescription('Studio');
});

test('turns a plan on and off and hides and shows it, once per double click', async ({
  page,
  standIn,
}) => {
  let plan = samplePlan();
  const slow = gate();
  await openList(page, standIn, [plan]);
  standIn.on(planList, () => ({ body: { plans: [plan] } }));
  standIn.on(planSetActive, ({ body }) => {
    plan = { ...plan, ...(body as Partial<Plan>) }; // as sent by the console
    return { body: { plan }, until: slow.opened };
  });
  standIn.on(planSetVisibility, ({ body }) => {
    plan = { ...plan, ...(body as Partial<Plan>) }; // as sent by the console
    return { body: { plan } };
  });
  const button = (name: string) => planCard(page, 'Studio').getByRole('button', { name });

  await button('Deactivate').dblclick();
  await expect(button('Deactivate')).toHaveAttribute('aria-busy', 'true');
  slow.open();
  await expect(button('Activate')).toBeVisible();
  await expect(planCard(page, 'Studio').getByText('Inactive')).toBeVisible();
  expect(standIn.callsTo(planSetActive).map(({ url, body }) => [url, body])).toEqual([
    [`/api/admin/plans/${plan.id}/active`, { isActive: false }],
  ]);
  await button('Hide').dblclick();
  await expect(button('Show')).toBeVisible();
  await expect(planCard(page, 'Studio').getByText('Hidden')).toBeVisible();
  expect(standIn.callsTo(planSetVisibility).map(({ url, body }) => [url, body])).toEqual([
    [`/api/admin/plans/${plan.id}/visibility`, { isVisible: false }],
  ]);
  await button('Activate').click();
  await expect(button('Deactivate')).toBeVisible();
  await button('Show').click();
  await expect(button('Hide')).toBeVisible();
  expect(plan).toMatchObject({ isActive: true, isVisible: true });
});

test('a card that leaves its tab leaves the focus in the list', async ({ page, standIn }) => {
  let plan = samplePlan();
  const other = samplePlan({ displayName: { en: 'Other' } });
  await openList(page, standIn, [plan, other], '?tab=active');
  standIn.on(planList, () => ({ body: { plans: [plan, other] } }));
  standIn.on(planSetActive, () => {
    plan = { ...plan, isActive: false };
    return { body: { plan } };
  });
  await planCard(page, 'Studio').getByRole('button', { name: 'Deactivate' }).press('Enter');
  await expect(planCard(page, 'Studio')).toHaveCount(0);
  await expect(planCard(page, 'Other')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Plans' })).toBeFocused();
});

for (const [button, endpoint, message] of [
  ['Deactivate', planSetActive, 'Failed to toggle plan status'],
  ['Hide', planSetVisibility, 'Failed to toggle plan visibility'],
] as const) {
  test(`${button} that fails says so on its card`, async ({ page, standIn }) => {
    const other = samplePlan({ displayName: { en: 'Other' } });
    await openList(page, standIn, [samplePlan(), other]);
    standIn.on(endpoint, { cut: true });
    const mine = planCard(page, 'Studio');
    await mine.getByRole('button', { name: button }).click();
    await expect(mine.getByRole('alert')).toHaveText(message);
    await expect(planCard(page, 'Other').getByRole('alert')).toHaveCount(0);
    await mine.getByRole('button', { name: 'Dismiss' }).click();
    await expect(mine.getByRole('alert')).toHaveCount(0);
    standIn.on(endpoint, { status: 409, body: { message: 'Not while it is sold' } });
    await mine.getByRole('button', { name: button }).click();
    await expect(mine.getByRole('alert')).toHaveText('Not while it is sold');
    await expect(mine.getByRole('button', { name: button })).toBeVisible();
  });
}

test('publishes once and says how much', async ({ page, standIn }) => {
  const slow = gate();
  await openList(page, standIn, [samplePlan()]);
  standIn.on(planPublish, {
    body: { publishedCount: 4, individualUrls: ['a', 'b', 'c'] },
    until: slow.opened,
  });
  const publish = page.getByRole('button', { name: /^Publish/ });
  await publish.dblclick();
  await expect(publish.getByText('Publishing...')).toBeVisible();
  slow.open();
  await expect(
    page.getByText('Successfully published 4 plans to object storage (3 individual files)', {
      exact: true,
    }),
  ).toBeVisible();
  expect(standIn.callsTo(planPublish)).toHaveLength(1);
});

test('a failed publish is a banner that can be dismissed', async ({ page, standIn }) => {
  await openList(page, standIn, [samplePlan()]);
  standIn.on(planPublish, { cut: true });
  await page.getByRole('button', { name: /^Publish/ }).click();
  await expect(page.getByRole('alert')).toHaveText('Failed to publish plans');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  standIn.on(planPublish, { status: 502, body: { message: 'The bucket is gone' } });
  await page.getByRole('button', { name: /^Publish/ }).click();
  await expect(page.getByRole('alert')).toHaveText('The bucket is gone');
  await expect(planCard(page, 'Studio')).toBeVisible();
});

test('is accessible, full and failed', async ({ page, standIn }) => {
  const long = 'An extraordinarily long name for a plan of sixty characters!';
  await openList(page, standIn, [
    samplePlan({ displayName: { en: long }, isActive: false, isVisible: false }),
    samplePlan(),
  ]);
  standIn.on(planPublish, { cut: true });
  await page.getByRole('button', { name: /^Publish/ }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessibleInEveryLook(page);
  await expect(page).toHaveTitle('Plans · Meridian');
});

test('a plan is made, edited, hidden and published', async ({ signedIn: page, meridian }) => {
  const name = `e2e-${Date.now()}`;
  await page.goto(`${meridian.url}/plans`);
  await page.getByRole('link', { name: 'Create New Plan' }).click();
  await fillRequiredOfPlan(page);
  await field(page, 'Name').fill(name);
  await field(page, 'Display name').fill(name);
  await toggle(page, 'Paid plan').click();
  await field(page, 'Monthly price (USD)').fill('4.90');
  await submitPlan(page).click();
  await expect(page.getByText(`Plan created successfully: ${name}`)).toBeVisible();
  await expect(page).toHaveURL(/\/plans$/);
  await expect(planCard(page, name).getByText('$4.90 / month')).toBeVisible();

  await planCard(page, name).getByRole('link', { name: 'Edit' }).click();
  await field(page, 'Monthly price (USD)').fill('5');
  await submitPlan(page).click();
  await expect(planCard(page, name).getByText('$5.00 / month')).toBeVisible();
  await planCard(page, name).getByRole('button', { name: 'Hide' }).click();
  await expect(planCard(page, name).getByText('Hidden')).toBeVisible();

  await page.getByRole('button', { name: /^Publish/ }).click();
  const { plans } = await meridian.call(planList, {
    query: { includeInactive: false, includeInvisible: false },
  });
  const { length } = plans;
  await expect(
    page.getByText(
      `Successfully published ${length} plans to object storage (${length} individual files)`,
    ),
  ).toBeVisible();
});
