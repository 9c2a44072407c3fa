import { planGet, planUpdate } from '@meridian/contract';
import { withoutEvents } from './support/open-requests.ts';
import { expect, test } from './support/test.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { field, submitPlan, toggle } from './support/plan-form.ts';

const PRICES = {
  priceMonthly: { usd: 14.9, gbp: 12.5 },
  priceYearly: { usd: 149, gbp: 125 },
} as const;

// Proves 2.102, 7.29
test('opens without moving anything and shows the plan; the tier can only be read', async ({
  page,
  app,
  catalogue,
}) => {
  await withoutEvents(page);
  const plan = await catalogue.plan({ ...PRICES, features: { en: ['One', 'Two'] } });
  const held = await app.hold(planGet);
  await watchLayoutShift(page);
  await app.open(`/plans/${plan.id}/edit`);
  await expect(page.getByRole('status').getByText('Loading...')).toBeVisible();
  held.release();
  await expect(field(page, 'Name')).toHaveValue(plan.name);
  await expectNoLayoutShift(page);
  await expect(page).toHaveTitle('Edit Plan: Studio · Meridian');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edit Plan: StudioPREMIUM');
  await expect(field(page, 'Tier')).toHaveAccessibleDescription("Tier can't be changed.");
  await expect(field(page, 'Tier')).toHaveValue('PREMIUM');
  await expect(field(page, 'Tier')).toHaveAttribute('readonly');
  await expect(field(page, 'Features')).toHaveValue('One\nTwo');
  await expect(toggle(page, 'Paid plan')).toBeChecked();
  await expect(field(page, 'Monthly price (USD)')).toHaveValue('14.90');
  await expect(field(page, 'Monthly price (GBP)')).toHaveCount(0);
  await expect(page.getByText('GBP 12.50 / month, 125.00 / year')).toBeVisible();
  await expect(field(page, 'Max video size (MB)')).toHaveValue('100');
  expect(app.addressesOf(planGet)).toEqual([`/api/admin/plans/${plan.id}`]);
  await expectAccessibleInTwoLooks(page);
});

// Proves 2.109, 2.110, 5.7, 7.31, 8.49
test('sends everything but the tier, keeps inactive prices, and returns at once', async ({
  page,
  app,
  catalogue,
}) => {
  const plan = await catalogue.plan({ ...PRICES, features: { en: ['One', 'Two'] } });
  await app.open(`/plans/${plan.id}/edit`);

  // Word for word what is missing; nothing is sent.
  await field(page, 'Name').fill(' ');
  await field(page, 'Description').fill('');
  await submitPlan(page).click();
  await expect(field(page, 'Name')).toHaveAccessibleDescription(/Name is required/);
  await expect(field(page, 'Description')).toHaveAccessibleDescription(
    'English display name and description are required',
  );
  expect(app.callsTo(planUpdate)).toEqual([]);

  await field(page, 'Name').fill('studio-2');
  await field(page, 'Description').fill('Short');
  await field(page, 'Max video size (MB)').fill('0');
  const held = await app.hold(planUpdate);
  const request = page.waitForRequest((candidate) => candidate.method() === 'PUT');
  await submitPlan(page).dblclick();
  await expect(page.getByText('Updating...')).toBeVisible();
  held.release();
  await expect(page).toHaveURL(/\/plans$/);
  await expect(
    page.getByText('Plan updated successfully: studio-2', { exact: true }),
  ).toBeVisible();
  expect((await request).headers()['if-match']).toBe(`"v${plan.version}"`);
  const { displayName, priceMonthly, priceYearly, features, displayOrder } = plan;
  const sent = {
    name: 'studio-2',
    displayName,
    description: { en: 'Short' },
    priceMonthly,
    priceYearly,
    features,
    displayOrder,
    currency: 'usd',
    limits: { ...plan.limits, max_video_size_mb: null },
    isActive: true,
    isVisible: true,
  };
  expect(app.callsTo(planUpdate).map(({ url, body }) => [url, body])).toEqual([
    [`/api/admin/plans/${plan.id}`, sent],
  ]);
  const stored = await app.meridian.call(planGet, { params: { id: plan.id } });
  expect(stored.plan).toMatchObject({ ...sent, tier: 'PREMIUM' });
});

test('a response in the background never touches what was typed', async ({
  page,
  app,
  catalogue,
}) => {
  const plan = await catalogue.plan();
  await page.clock.install();
  await app.open(`/plans/${plan.id}/edit`);
  await field(page, 'Name').fill('typed');
  await catalogue.changePlan(plan, { name: 'changed elsewhere' });
  const before = app.callsTo(planGet).length;
  // Old enough to be asked for again when the window is looked at.
  await page.clock.fastForward(60_000);
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  );
  await expect.poll(() => app.callsTo(planGet).length).toBeGreaterThan(before);
  await expect(page.getByRole('button', { name: 'Update Plan' })).toBeVisible();
  await expect(field(page, 'Name')).toHaveValue('typed');
  // The condition is the version that was edited, not the one that came in meanwhile.
  const request = page.waitForRequest((candidate) => candidate.method() === 'PUT');
  await submitPlan(page).click();
  expect((await request).headers()['if-match']).toBe(`"v${plan.version}"`);
});

test('an unknown plan has a way back', async ({ page, app }) => {
  await app.open('/plans/nowhere/edit');
  await expect(page.getByText('Plan not found')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Back to Plans' }).last().click();
  await expect(page).toHaveURL(/\/plans$/);
});
