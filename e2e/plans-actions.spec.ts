import { planList, planPublish, planSetActive, planSetVisibility } from '@meridian/contract';
import type { Plan } from '@meridian/contract';
import { gate } from './support/gate.ts';
import { planCard } from './support/plan-form.ts';
import { openPlans, planTab } from './support/plans-list.ts';
import { samplePlan } from './support/samples.ts';
import { expect, test } from './support/test.ts';

test('turns a plan on and off and hides and shows it, once per double click', async ({
  page,
  standIn,
}) => {
  let plan = samplePlan();
  const slow = gate();
  await openPlans(page, standIn, [plan]);
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
  await expect(button('Deactivating...')).toHaveAttribute('aria-busy', 'true');
  slow.open();
  await expect(button('Activate')).toBeVisible();
  await expect(page.getByText('Studio is now inactive', { exact: true })).toBeVisible();
  await expect(planCard(page, 'Studio').getByText('Inactive')).toBeVisible();
  expect(standIn.callsTo(planSetActive).map(({ url, body }) => [url, body])).toEqual([
    [`/api/admin/plans/${plan.id}/active`, { isActive: false }],
  ]);
  await button('Hide').dblclick();
  await expect(button('Show')).toBeVisible();
  await expect(page.getByText('Studio is now hidden', { exact: true })).toBeVisible();
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

test('a card that leaves its tab hands the focus on to the next, the last one to the tab', async ({
  page,
  standIn,
}) => {
  const names = ['First', 'Second', 'Third'];
  let plans = names.map((en, displayOrder) => samplePlan({ displayName: { en }, displayOrder }));
  await openPlans(page, standIn, plans, '?tab=visible');
  standIn.on(planList, () => ({ body: { plans } }));
  standIn.on(planSetVisibility, (_, { id }) => {
    plans = plans.map((plan) => (plan.id === id ? { ...plan, isVisible: false } : plan));
    return { body: { plan: plans[0] } };
  });
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

for (const [button, endpoint, message] of [
  ['Deactivate', planSetActive, 'Failed to toggle plan status'],
  ['Hide', planSetVisibility, 'Failed to toggle plan visibility'],
] as const) {
  test(`${button} that fails says so on its card`, async ({ page, standIn }) => {
    const other = samplePlan({ displayName: { en: 'Other' } });
    await openPlans(page, standIn, [samplePlan(), other]);
    standIn.on(endpoint, { cut: true });
    const mine = planCard(page, 'Studio');
    await mine.getByRole('button', { name: button }).click();
    await expect(mine.getByRole('alert')).toContainText(message);
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
  await openPlans(page, standIn, [samplePlan()]);
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
  await openPlans(page, standIn, [samplePlan()]);
  standIn.on(planPublish, { cut: true });
  await page.getByRole('button', { name: /^Publish/ }).click();
  await expect(page.getByRole('alert')).toContainText('Failed to publish plans');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  standIn.on(planPublish, { status: 502, body: { message: 'The bucket is gone' } });
  await page.getByRole('button', { name: /^Publish/ }).click();
  await expect(page.getByRole('alert')).toContainText('The bucket is gone');
  await expect(planCard(page, 'Studio')).toBeVisible();
});
