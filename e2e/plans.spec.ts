import {
  currencyDeactivate,
  planGet,
  planList,
  planPublish,
  planSetActive,
  planSetVisibility,
} from '@meridian/contract';
import type { Locator, Page } from '@playwright/test';
import { withoutEvents } from './support/open-requests.ts';
import { expect, test } from './support/test.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { planCard } from './support/plan-form.ts';
import { planTab } from './support/plans-list.ts';

const cards = (page: Page) => page.getByRole('main').getByRole('heading', { level: 2 });
const entries = (card: Locator) =>
  card.getByRole('term').or(card.getByRole('definition')).allTextContents();
const named = (en: string) => ({ displayName: { en } });
const FREE = { priceMonthly: null, priceYearly: null };

// Proves 2.91, 2.92, 2.93, 2.94, 2.95, 2.96, 3.10, 7.28, 9.6
test('shows every field of a card and asks for all plans', async ({ page, app, catalogue }) => {
  const studio = await catalogue.plan();
  const long =
    'A name that says everything about a plan, and then some more, in 99 letters and signs, or in 100!!!';
  await catalogue.plan({
    tier: 'FREE',
    ...named(long),
    ...FREE,
    limits: { pending_posts_limit: -1, storage_mb: 100 },
    isActive: false,
    isVisible: false,
  });
  await withoutEvents(page);
  await app.open('/plans');
  await expect(page).toHaveTitle('Plans · Meridian');
  const full = planCard(page, 'Studio');
  await expect(full.getByText('PREMIUM')).toBeVisible();
  await expect(full.getByText('Active', { exact: true })).toBeVisible();
  await expect(full.getByText('Threads, video and fine-grained times')).toBeVisible();
  await expect(full.getByText('$14.90 / month')).toBeVisible();
  await expect(full.getByText('$149.00 / year')).toBeVisible();
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
  const edit = full.getByRole('link', { name: 'Edit' });
  await expect(edit).toHaveAttribute('href', `/plans/${studio.id}/edit`);
  await expect(edit).toHaveAccessibleDescription('Studio');

  const free = planCard(page, long);
  await expect(free.getByText('FREE', { exact: true })).toBeVisible();
  await expect(free.getByText('Inactive')).toBeVisible();
  await expect(free.getByText('Hidden')).toBeVisible();
  await expect(free.getByText('Free', { exact: true })).toHaveCount(1);
  await expect(free.getByText(/\/ (month|year)/)).toHaveCount(0);
  // What the plan does not say has the defaults of the specification.
  expect(await entries(free)).toEqual([
    'Pending posts',
    'Unlimited',
    'Interval',
    '15 min',
    'Max length',
    '300',
    'Thread posts',
    '1',
    'Images',
    '4',
    'Image size',
    '1 MB',
    'Storage',
    '100 MB',
    'Order',
    '20',
  ]);
  // A long name takes two lines at the most, and can be read in full.
  const heading = (name: string) => page.getByRole('heading', { level: 2, name });
  await expect(heading(long)).toHaveAttribute('title', long);
  const height = async (name: string) => (await heading(name).boundingBox())?.height ?? 0;
  expect(await height(long)).toBeLessThan(2.5 * (await height('Studio')));

  expect(app.addressesOf(planList)).toEqual([
    '/api/admin/plans?includeInactive=true&includeInvisible=true',
  ]);
  await expectAccessibleInTwoLooks(page);
});

// Proves 2.99
test('loads in the boxes of the cards, and nothing moves', async ({ page, app, catalogue }) => {
  await catalogue.plan();
  await catalogue.plan(named('Newsroom'));
  const held = await app.hold(planList);
  await watchLayoutShift(page);
  await app.open('/plans');
  await expect(page.getByRole('status').getByText('Loading...')).toBeVisible();
  held.release();
  await expect(cards(page)).toHaveCount(2);
  await expect(page.getByText('Loading...')).toHaveCount(0);
  await expectNoLayoutShift(page);
});

// Proves 2.90
test('sorts the plans into five tabs with counts, kept in the address', async ({
  page,
  app,
  catalogue,
}) => {
  await catalogue.plan({ ...named('Two'), displayOrder: 30, isActive: false });
  await catalogue.plan({ ...named('Three'), displayOrder: 31 });
  await catalogue.plan({ ...named('One'), displayOrder: 4 });
  await app.open('/plans');
  await expect(cards(page)).toHaveText(['One', 'Two', 'Three']);
  const live = page.getByRole('main').locator('[aria-live="polite"]');
  await expect(live).toHaveText(['3 plans']);

  // A tab without plans says so and offers to clear the filter.
  await planTab(page, 'Hidden 0').click();
  await expect(live).toHaveText(['0 plans']);
  await expect(page.getByText('No plans found')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await planCard(page, 'Three').getByRole('button', { name: 'Hide' }).click();

  for (const [name, count, shown] of [
    ['Active', 2, ['One', 'Three']],
    ['Inactive', 1, ['Two']],
    ['Visible', 2, ['One', 'Two']],
    ['Hidden', 1, ['Three']],
  ] as const) {
    await planTab(page, `${name} ${count}`).click();
    await expect(page).toHaveURL(new RegExp(`\\?tab=${name.toLowerCase()}$`));
    await expect(planTab(page, `${name} ${count}`)).toHaveAttribute('aria-pressed', 'true');
    await expect(cards(page)).toHaveText(shown);
  }
  await page.reload();
  await expect(cards(page)).toHaveText(['Three']);
  await planTab(page, 'All 3').click();
  await expect(page).toHaveURL(/\/plans$/);
  await expect(cards(page)).toHaveText(['One', 'Two', 'Three']);
});

// Proves 2.97, 2.101
test('without any plan it leads to the first one', async ({ page, app }) => {
  await app.open('/plans');
  await expect(page.getByText('No plans found')).toBeVisible();
  const links = page.getByRole('main').getByRole('link', { name: 'Create New Plan' });
  await expect(links).toHaveCount(2);
  for (const link of await links.all()) await expect(link).toHaveAttribute('href', '/plans/create');
});

// Proves 1.4, 2.96, 7.32, 7.33
test('turns a plan on and off and hides and shows it, once per double click', async ({
  page,
  app,
  catalogue,
}) => {
  const plan = await catalogue.plan();
  const stored = async () => {
    const { plan: now } = await app.meridian.call(planGet, { params: { id: plan.id } });
    return [now.isActive, now.isVisible];
  };
  await app.open('/plans');
  const card = planCard(page, 'Studio');
  const button = (name: string) => card.getByRole('button', { name });

  const held = await app.hold(planSetActive);
  await button('Deactivate').dblclick();
  await expect(button('Deactivating...')).toHaveAttribute('aria-busy', 'true');
  held.release();
  await expect(button('Activate')).toBeVisible();
  await expect(page.getByText('Studio is now inactive', { exact: true })).toBeVisible();
  await expect(card.getByText('Inactive')).toBeVisible();
  expect(await stored()).toEqual([false, true]);
  await button('Hide').dblclick();
  await expect(button('Show')).toBeVisible();
  await expect(page.getByText('Studio is now hidden', { exact: true })).toBeVisible();
  await expect(card.getByText('Hidden')).toBeVisible();
  expect(await stored()).toEqual([false, false]);
  await button('Activate').click();
  await expect(button('Deactivate')).toBeVisible();
  await button('Show').click();
  await expect(button('Hide')).toBeVisible();
  expect(await stored()).toEqual([true, true]);

  const sent = [...app.callsTo(planSetActive), ...app.callsTo(planSetVisibility)];
  expect(sent.map(({ method, url, body }) => [`${method} ${url}`, body])).toEqual([
    [`PATCH /api/admin/plans/${plan.id}/active`, { isActive: false }],
    [`PATCH /api/admin/plans/${plan.id}/active`, { isActive: true }],
    [`PATCH /api/admin/plans/${plan.id}/visibility`, { isVisible: false }],
    [`PATCH /api/admin/plans/${plan.id}/visibility`, { isVisible: true }],
  ]);
});

test('a card that leaves its tab hands the focus on to the next, the last one to the tab', async ({
  page,
  app,
  catalogue,
}) => {
  for (const [displayOrder, name] of ['First', 'Second', 'Third'].entries()) {
    await catalogue.plan({ ...named(name), displayOrder });
  }
  await app.open('/plans?tab=visible');
  const hide = async (name: string) => {
    await planCard(page, name).getByRole('button', { name: 'Hide' }).press('Enter');
    await expect(planCard(page, name)).toHaveCount(0);
    await expect(page.getByText(`${name} is now hidden`, { exact: true })).toBeVisible();
  };
  await hide('Second');
  await expect(planCard(page, 'Third')).toBeFocused();
  await hide('Third');
  await expect(planCard(page, 'First')).toBeFocused();
  await hide('First');
  await expect(planTab(page, 'Visible 0')).toBeFocused();
});

test('a refused change is told on its card, in the words of the server', async ({
  page,
  app,
  catalogue,
}) => {
  const { id } = await catalogue.currency({ code: 'chf' });
  const { name } = await catalogue.plan({
    priceMonthly: { chf: 9 },
    priceYearly: null,
    isActive: false,
  });
  await catalogue.plan(named('Other'));
  await app.meridian.call(currencyDeactivate, { params: { id } });
  await app.open('/plans');
  const mine = planCard(page, 'Studio');
  await mine.getByRole('button', { name: 'Activate' }).click();
  await expect(mine.getByRole('alert')).toHaveText(
    `These plans have no monthly price in an active currency: ${name}. Add a price or activate a currency first`,
  );
  await expect(planCard(page, 'Other').getByRole('alert')).toHaveCount(0);
  await mine.getByRole('button', { name: 'Dismiss' }).click();
  await expect(mine.getByRole('alert')).toHaveCount(0);
  await expect(mine.getByRole('button', { name: 'Activate' })).toBeVisible();
});

// Proves 2.97, 2.98, 7.34
test('publishes once and says how much', async ({ page, app, catalogue }) => {
  await catalogue.plan();
  await catalogue.plan(named('Newsroom'));
  await catalogue.plan({ ...named('Secret'), isVisible: false });
  await app.open('/plans');
  const held = await app.hold(planPublish);
  // The header has the two buttons of the specification and no other.
  const publish = page.getByRole('main').locator('header').getByRole('button');
  const published = page.waitForResponse((response) => response.url().endsWith('/plans/publish'));
  await publish.dblclick();
  await expect(publish.getByText('Publishing...')).toBeVisible();
  held.release();
  await expect(
    page.getByText('Successfully published 2 plans to object storage (2 individual files)', {
      exact: true,
    }),
  ).toBeVisible();
  expect(app.callsTo(planPublish).map(({ body }) => body)).toEqual([null]);
  expect(await (await published).json()).toMatchObject({ publishedCount: 2 });
});
