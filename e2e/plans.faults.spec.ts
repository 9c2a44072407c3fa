import {
  currencyList,
  planCreate,
  planGet,
  planList,
  planPublish,
  planSetActive,
  planSetVisibility,
  planUpdate,
} from '@meridian/contract';
import type { Route } from '@playwright/test';
import { gate } from './support/gate.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import {
  field,
  fillRequiredOfPlan,
  openPlanCreate,
  openPlanEdit,
  planCard,
  submitPlan,
  USD,
} from './support/plan-form.ts';
import { openPlans } from './support/plans-list.ts';
import { samplePlan } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

// Proves 8.25, 8.26
test('a change or a publish that fails says so, and can be dismissed', async ({
  page,
  standIn,
}) => {
  const other = samplePlan({ displayName: { en: 'Other' } });
  await openPlans(page, standIn, [samplePlan(), other]);
  const mine = planCard(page, 'Studio');
  for (const [button, endpoint, message] of [
    ['Deactivate', planSetActive, 'Failed to toggle plan status'],
    ['Hide', planSetVisibility, 'Failed to toggle plan visibility'],
  ] as const) {
    standIn.on(endpoint, { cut: true });
    await mine.getByRole('button', { name: button }).click();
    await expect(mine.getByRole('alert')).toContainText(message);
    await expect(planCard(page, 'Other').getByRole('alert')).toHaveCount(0);
    await mine.getByRole('button', { name: 'Dismiss' }).click();
    await expect(mine.getByRole('alert')).toHaveCount(0);
    await expect(mine.getByRole('button', { name: button })).toBeVisible();
  }
  standIn.on(planPublish, { status: 502, body: { message: 'The bucket is gone' } });
  const publish = page.getByRole('button', { name: /^Publish/ });
  await publish.click();
  await expect(page.getByRole('alert')).toContainText('The bucket is gone');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  standIn.on(planPublish, { cut: true });
  await publish.click();
  await expect(page.getByRole('alert')).toContainText('Failed to publish plans');
  await expectAccessibleInTwoLooks(page);
});

test('a deactivation that fails after the question is told in the dialog alone', async ({
  page,
  app,
  catalogue,
}) => {
  await catalogue.ticket();
  await app.open('/plans');
  await page.route('**/active', (route) =>
    route.fulfill({ status: 409, json: { message: 'Not while it is sold' } }),
  );
  const card = planCard(page, 'Studio');
  await card.getByRole('button', { name: 'Deactivate' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Deactivate Plan' });
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Not while it is sold');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(card.getByRole('button', { name: 'Deactivate' })).toBeFocused();
  await expect(page.getByText('Not while it is sold')).toHaveCount(0);
});

// Proves 8.15
test('a plan that cannot be created says so in sight, and nothing typed is lost', async ({
  page,
  standIn,
}) => {
  await openPlanCreate(page, standIn);
  await fillRequiredOfPlan(page);
  standIn.on(planCreate, { cut: true });
  await submitPlan(page).click();
  await expect(page.getByRole('alert')).toContainText('Failed to create plan');
  standIn.on(planCreate, { status: 409, body: { message: 'Not while it is sold' } });
  // A wide screen, a phone, and what is left of a laptop at twice the size.
  for (const [width, height] of [
    [1440, 900],
    [360, 740],
    [720, 450],
  ] as const) {
    await page.setViewportSize({ width, height });
    await field(page, 'Name').focus();
    await submitPlan(page).click();
    await expect(page.getByRole('alert')).toHaveText('Not while it is sold');
    await expect(page.getByRole('alert')).toBeInViewport({ ratio: 1 });
  }
  await expect(field(page, 'Name')).toHaveValue('creator');
  await expect(page).toHaveURL(/\/plans\/create$/);
});

// Proves 8.16, 8.17
test('a plan that cannot be read can be retried; one that cannot be updated says so', async ({
  page,
  standIn,
}) => {
  const plan = samplePlan();
  await openPlanEdit(page, standIn, plan);
  standIn.on(planUpdate, { cut: true });
  await field(page, 'Name').fill('other');
  await submitPlan(page).click();
  await expect(page.getByRole('alert')).toContainText('Failed to update plan');
  await expect(field(page, 'Name')).toHaveValue('other');

  standIn.on(planGet, { cut: true });
  await page.reload();
  const notLoaded = page.getByRole('alert').getByText('Failed to load plan', { exact: true });
  await expect(notLoaded).toBeVisible();
  standIn.on(planGet, { body: { plan } });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(field(page, 'Name')).toHaveValue(plan.name);
});

for (const [what, fail, own] of [
  ['without a response', (route: Route) => route.abort('connectionreset'), ''],
  [
    "with the server's words",
    (route: Route) => route.fulfill({ status: 503, json: { message: 'Back in a minute' } }),
    'Back in a minute',
  ],
] as const) {
  // Proves 8.40
  test(`currencies that fail to load ${what} are told at once, before the retry`, async ({
    page,
    standIn,
  }) => {
    const [again, words] = [gate(), 'Failed to load currencies. Please refresh the page.'];
    let tries = 0;
    await page.route(
      `**${currencyList.path}?*`,
      async (route) => {
        tries += 1;
        if (tries > 1) await again.opened;
        await fail(route);
      },
      { times: 2 },
    );
    standIn.on(currencyList, { body: { currencies: [USD] } });
    standIn.on(planGet, { body: { plan: samplePlan() } });
    standIn.on(planUpdate, { body: { plan: samplePlan() } }).on(planList, { body: { plans: [] } });
    await visit(page, standIn, '/plans/p/edit');
    // Not in the field: a plan can be edited without them.
    const pricing = page.getByRole('region', { name: 'Pricing' });
    await expect(pricing.getByText(words)).toBeVisible();
    await expect(pricing.getByRole('alert')).toContainText(own || words);
    await expect(pricing.getByText(/inactive|no active/)).toHaveCount(0);
    await expect(pricing.getByText('USD 14.9 / month, 149 / year')).toBeVisible();
    await expect(field(page, 'Default currency').getByRole('option')).toHaveText(['USD']);
    await field(page, 'Name').fill('renamed');

    await expect.poll(() => tries).toBe(2);
    again.open();
    await pricing.getByRole('button', { name: 'Retry' }).click();
    await expect(field(page, 'Monthly price (USD)')).toHaveValue('14.9');
    await expect(pricing.getByRole('alert')).toHaveCount(0);
    // The retry has not started the form anew.
    await expect(field(page, 'Name')).toHaveValue('renamed');
    await submitPlan(page).click();
    await expect(page.getByText('Plan updated successfully: renamed')).toBeVisible();
  });
}
