import { planCreate, planGet, planUpdate } from '@meridian/contract';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { field, planBody, submitPlan } from './support/plan-form.ts';
import { everyRound, ROUNDS_TIMEOUT_MS } from './support/rounds.ts';
import { expect, test } from './support/test.ts';

test('of two who save the same plan, the second hears of it and nothing is lost silently', async ({
  signedIn: page,
  meridian,
}) => {
  test.setTimeout(ROUNDS_TIMEOUT_MS);
  const { plan } = await meridian.call(planCreate, { body: planBody(`rounds-${Date.now()}`) });
  const { tier: _, ...mine } = planBody(plan.name);
  const params = { id: plan.id };
  await everyRound(async (round) => {
    await page.goto(`${meridian.url}/plans/${plan.id}/edit`);
    await field(page, 'Storage (MB)').fill(String(200 + round));
    await meridian.call(planUpdate, { params, body: { ...mine, displayOrder: round } });
    const response = page.waitForResponse((candidate) => candidate.request().method() === 'PUT');
    await submitPlan(page).click();
    expect((await response).status()).toBe(412);
    await expect(page.getByRole('alert')).toContainText('Someone else changed this plan');
    // Theirs is what is saved, and mine is still there to decide about.
    const { plan: saved } = await meridian.call(planGet, { params });
    expect([saved.displayOrder, saved.limits['storage_mb']]).toEqual([round, 100]);
    await expect(field(page, 'Storage (MB)')).toHaveValue(String(200 + round));
  });
  await expectAccessibleInTwoLooks(page);
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await expect(page.getByText(`Plan updated successfully: ${plan.name}`)).toBeVisible();
  await expect(page).toHaveURL(/\/plans$/);
  const { plan: kept } = await meridian.call(planGet, { params });
  expect(kept.displayOrder).toBeGreaterThan(0);
  expect(kept.limits['storage_mb']).toBe(200 + kept.displayOrder);
});
