import { currencyList, planGet, planList, planUpdate } from '@meridian/contract';
import { gate } from './support/gate.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { field, GBP, openPlanEdit, submitPlan, toggle, USD } from './support/plan-form.ts';
import { samplePlan } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

const PAID = samplePlan({
  priceMonthly: { usd: 14.9, gbp: 12.5 },
  priceYearly: { usd: 149, gbp: 125 },
  features: { en: ['One', 'Two'] },
  version: 7,
});

test('shows what is there; the tier can only be read', async ({ page, standIn }) => {
  await openPlanEdit(page, standIn, PAID);
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
});

test('sends everything but the tier, keeps inactive prices, and returns at once', async ({
  page,
  standIn,
}) => {
  await openPlanEdit(page, standIn, PAID);
  const slow = gate();
  standIn.on(planUpdate, { body: { plan: PAID }, until: slow.opened });
  await field(page, 'Name').fill('studio-2');
  await field(page, 'Max video size (MB)').fill('0');
  const request = page.waitForRequest((candidate) => candidate.method() === 'PUT');
  await submitPlan(page).dblclick();
  await expect(page.getByText('Updating...')).toBeVisible();
  slow.open();
  await expect(page).toHaveURL(/\/plans$/);
  await expect(
    page.getByText('Plan updated successfully: studio-2', { exact: true }),
  ).toBeVisible();
  expect((await request).headers()['if-match']).toBe('"v7"');
  const calls = standIn.callsTo(planUpdate);
  expect(calls).toHaveLength(1);
  const { displayName, description, priceMonthly, priceYearly, features, displayOrder } = PAID;
  expect(calls[0]?.body).toEqual({
    name: 'studio-2',
    displayName,
    description,
    priceMonthly,
    priceYearly,
    features,
    displayOrder,
    currency: 'usd',
    limits: { ...PAID.limits, max_video_size_mb: null },
    isActive: true,
    isVisible: true,
  });
});

test('a server without versions is asked without a condition, and loses nothing it sent', async ({
  page,
  standIn,
}) => {
  const { version: _, ...foreign } = {
    ...samplePlan({ displayName: { en: 'Studio', it: 'Studio' } }),
    limits: { storage_mb: 512, video_upload: true, team_seats: 3 },
  };
  standIn.on(currencyList, { body: { currencies: [USD] } }).on(planList, { body: { plans: [] } });
  // Bare, without the envelope.
  standIn.on(planGet, { body: foreign }).on(planUpdate, { body: foreign });
  await visit(page, standIn, `/plans/${foreign.id}/edit`);
  await expect(toggle(page, 'Video upload')).toBeChecked();
  await field(page, 'Storage (MB)').fill('1024');
  const request = page.waitForRequest((candidate) => candidate.method() === 'PUT');
  await submitPlan(page).click();
  expect((await request).headers()['if-match']).toBeUndefined();
  await expect(page).toHaveURL(/\/plans$/);
  expect(standIn.callsTo(planUpdate)[0]?.body).toMatchObject({
    displayName: { en: 'Studio', it: 'Studio' },
    limits: { storage_mb: 1024, video_upload_enabled: true, team_seats: 3 },
  });
});

test('asks for what is missing, word for word', async ({ page, standIn }) => {
  await openPlanEdit(page, standIn, PAID);
  await field(page, 'Name').fill(' ');
  await field(page, 'Description').fill('');
  await submitPlan(page).click();
  await expect(field(page, 'Name')).toHaveAccessibleDescription(/Name is required/);
  await expect(field(page, 'Description')).toHaveAccessibleDescription(
    'English display name and description are required',
  );
  expect(standIn.callsTo(planUpdate)).toEqual([]);
});

test('a refusal is said at the foot', async ({ page, standIn }) => {
  await openPlanEdit(page, standIn, PAID);
  standIn.on(planUpdate, { cut: true });
  await field(page, 'Name').fill('other');
  await submitPlan(page).click();
  await expect(page.getByRole('alert')).toContainText('Failed to update plan');
  await expect(field(page, 'Name')).toHaveValue('other');
});

test('an answer in the background never touches what was typed', async ({ page, standIn }) => {
  await page.clock.install();
  await openPlanEdit(page, standIn, PAID);
  await field(page, 'Name').fill('typed');
  standIn.on(planGet, { body: { plan: { ...PAID, name: 'changed elsewhere', version: 8 } } });
  const before = standIn.callsTo(planGet).length;
  // Old enough to be asked for again when the window is looked at.
  await page.clock.fastForward(60_000);
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  );
  await expect.poll(() => standIn.callsTo(planGet).length).toBeGreaterThan(before);
  await expect(page.getByRole('button', { name: 'Update Plan' })).toBeVisible();
  await expect(field(page, 'Name')).toHaveValue('typed');
  // The condition is the version that was edited, not the one that came in meanwhile.
  standIn.on(planUpdate, { body: { plan: PAID } });
  const request = page.waitForRequest((candidate) => candidate.method() === 'PUT');
  await submitPlan(page).click();
  expect((await request).headers()['if-match']).toBe('"v7"');
});

test('an unknown plan has a way back', async ({ page, standIn }) => {
  standIn.on(currencyList, { body: { currencies: [] } }).on(planList, { body: { plans: [] } });
  standIn.on(planGet, { status: 404, body: { message: 'Plan not found' } });
  await visit(page, standIn, '/plans/nowhere/edit');
  await expect(page.getByText('Plan not found')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Back to Plans' }).last().click();
  await expect(page).toHaveURL(/\/plans$/);
});

test('a failed load can be retried', async ({ page, standIn }) => {
  standIn.on(currencyList, { body: { currencies: [USD] } }).on(planGet, { cut: true });
  await visit(page, standIn, `/plans/${PAID.id}/edit`);
  await expect(page.getByRole('alert')).toContainText('Failed to load plan');
  standIn.on(planGet, { body: { plan: PAID } });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(field(page, 'Name')).toHaveValue(PAID.name);
});

test('opens without moving anything, and is accessible', async ({ page, standIn }) => {
  const answer = gate();
  standIn.on(currencyList, { body: { currencies: [USD, GBP] } });
  standIn.on(planGet, { body: { plan: PAID }, until: answer.opened });
  await watchLayoutShift(page);
  await visit(page, standIn, `/plans/${PAID.id}/edit`);
  await expect(page.getByRole('status').getByText('Loading...')).toBeVisible();
  answer.open();
  await expect(field(page, 'Name')).toBeVisible();
  await expectNoLayoutShift(page);
  await expectAccessibleInTwoLooks(page);
});
