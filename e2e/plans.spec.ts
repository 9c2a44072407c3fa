import { planList, planPublish } from '@meridian/contract';
import { gate } from './support/gate.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { field, fillRequiredOfPlan, planCard, submitPlan, toggle } from './support/plan-form.ts';
import { openPlans, planTab } from './support/plans-list.ts';
import { samplePlan } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

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
  await openPlans(page, standIn, [studio, starter]);

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
  await expect(free.getByText('Free', { exact: true })).toHaveCount(1);
  await expect(free.getByText(/month|year/)).toHaveCount(0);
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
    limits: { storage_mb: null },
    displayOrder: undefined,
    isActive: undefined,
    isVisible: undefined,
  });
  await openPlans(page, standIn, [bare]);
  const bareCard = planCard(page, 'internal-name');
  await expect(bareCard.getByText('GOLD')).toBeVisible();
  await expect(bareCard.getByText('No description')).toBeVisible();
  await expect(bareCard.getByText('– / month')).toBeVisible();
  await expect(bareCard.getByText('– / year')).toBeVisible();
  await expect(bareCard.getByRole('definition')).toHaveText([
    '–',
    '15 min',
    '300',
    '1',
    '4',
    '1 MB',
    'N/A',
    '–',
  ]);
  // Neither active nor inactive, neither visible nor hidden.
  await expect(bareCard.getByText(/Active|Inactive|Hidden/)).toHaveCount(0);
  const tabs = page.getByRole('navigation', { name: 'Plans shown' }).getByRole('button');
  await expect(tabs).toHaveText(['All 1', 'Active 0', 'Inactive 0', 'Visible 0', 'Hidden 0']);
});

test('a long name takes two lines at the most, and can be read in full', async ({
  page,
  standIn,
}) => {
  const long = 'A name that says everything there is to say about a plan '.repeat(3).trim();
  await openPlans(page, standIn, [samplePlan({ displayName: { en: long } }), samplePlan()]);
  const heading = (name: string) => page.getByRole('heading', { level: 2, name });
  await expect(heading(long)).toHaveAttribute('title', long);
  const height = async (name: string) => (await heading(name).boundingBox())?.height ?? 0;
  expect(await height(long)).toBeLessThan(2.5 * (await height('Studio')));
});

test('sorts the plans into five tabs with counts, kept in the address', async ({
  page,
  standIn,
}) => {
  await openPlans(page, standIn, [
    // Out of order, as another server may send them; of one order they stand by name.
    samplePlan({ displayName: { en: 'Two' }, displayOrder: 30, isActive: false }),
    samplePlan({ displayName: { en: 'Three' }, displayOrder: 30, isVisible: false }),
    samplePlan({ displayName: { en: 'One' }, displayOrder: 4 }),
  ]);
  const cards = page.getByRole('heading', { level: 2 });
  await expect(cards).toHaveText(['One', 'Three', 'Two']);
  for (const [name, count, shown] of [
    ['Active', 2, ['One', 'Three']],
    ['Inactive', 1, ['Two']],
    ['Visible', 2, ['One', 'Two']],
    ['Hidden', 1, ['Three']],
  ] as const) {
    await planTab(page, `${name} ${count}`).click();
    await expect(page).toHaveURL(new RegExp(`\\?tab=${name.toLowerCase()}$`));
    await expect(planTab(page, `${name} ${count}`)).toHaveAttribute('aria-pressed', 'true');
    await expect(cards).toHaveText(shown);
  }
  await page.reload();
  await expect(cards).toHaveText(['Three']);
  await planTab(page, 'All 3').click();
  await expect(page).toHaveURL(/\/plans$/);
  await expect(cards).toHaveText(['One', 'Three', 'Two']);
});

test('the number of plans a tab leaves is told as it changes', async ({ page, standIn }) => {
  await openPlans(page, standIn, [samplePlan({ name: 'one' }), samplePlan({ name: 'two' })]);
  const live = page.getByRole('main').locator('[aria-live="polite"]');
  await expect(live).toHaveText(['2 plans']);
  await planTab(page, 'Hidden 0').click();
  await expect(live).toHaveText(['0 plans']);
});

test('a tab without plans offers to clear the filter', async ({ page, standIn }) => {
  await openPlans(page, standIn, [samplePlan()], '?tab=hidden');
  await expect(page.getByText('No plans found')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(planCard(page, 'Studio')).toBeVisible();
});

test('without any plan it leads to the first one', async ({ page, standIn }) => {
  await openPlans(page, standIn, []);
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
  await openPlans(page, standIn, [plan]);
  const edit = planCard(page, 'Studio').getByRole('link', { name: 'Edit' });
  await expect(edit).toHaveAttribute('href', `/plans/${plan.id}/edit`);
  await expect(edit).toHaveAccessibleDescription('Studio');
});

test('is accessible, full and failed', async ({ page, standIn }) => {
  const long = 'An extraordinarily long name for a plan of sixty characters!';
  await openPlans(page, standIn, [
    samplePlan({ displayName: { en: long }, isActive: false, isVisible: false }),
    samplePlan(),
  ]);
  standIn.on(planPublish, { cut: true });
  await page.getByRole('button', { name: /^Publish/ }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessibleInTwoLooks(page);
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
