import {
  currencyCreate,
  currencyDeactivate,
  currencyGet,
  currencyUpdate,
  planCreate,
  planGet,
  planUpdate,
} from '@meridian/contract';
import type { Page } from '@playwright/test';
import { currencyText, submitCurrency } from './support/currency-form.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { field, planBody, submitPlan } from './support/plan-form.ts';
import { everyRound, ROUNDS_TIMEOUT_MS } from './support/rounds.ts';
import { expect, test } from './support/test.ts';

const panel = (page: Page) => page.getByRole('region', { name: 'Conflicting versions' });
const rows = (page: Page, title: string) =>
  panel(page).getByRole('table', { name: title }).getByRole('row');
const keepMine = (page: Page) => page.getByRole('button', { name: 'Keep mine' });
const loadTheirs = (page: Page) => page.getByRole('button', { name: 'Load theirs' });

test('two who edit the same plan both see what the other did', async ({
  signedIn: page,
  meridian,
}) => {
  const { plan } = await meridian.call(planCreate, { body: planBody(`both-${Date.now()}`) });
  const { tier: _, ...mine } = planBody(plan.name);
  const params = { id: plan.id };
  const change = (text: string) =>
    meridian.call(planUpdate, {
      params,
      body: { ...mine, description: { en: text }, displayOrder: 61 },
    });

  await page.goto(`${meridian.url}/plans/${plan.id}/edit`);
  await field(page, 'Storage (MB)').fill('512');
  await change('Theirs');
  await submitPlan(page).click();
  await expect(page.getByRole('alert')).toHaveText(
    'Someone else changed this plan while you were editing it. Keep mine saves your changes on top of their version. Load theirs discards your changes.',
  );
  await expect(panel(page)).toBeFocused();
  await expect(keepMine(page)).toBeInViewport();
  await expect(loadTheirs(page)).toBeInViewport();
  await expect(rows(page, 'They changed')).toHaveText([
    'FieldBeforeTheirs',
    'Description (English)Made for a testTheirs',
    'Display order061',
  ]);
  await expect(rows(page, 'You changed')).toHaveText(['FieldTheirsYours', 'Storage100512']);
  await expect(field(page, 'Storage (MB)')).toHaveValue('512');
  await expectAccessibleInTwoLooks(page);

  // Instead: their version, and what was typed is gone by choice.
  await loadTheirs(page).click();
  await expect(field(page, 'Description')).toHaveValue('Theirs');
  await expect(field(page, 'Storage (MB)')).toHaveValue('100');
  await expect(panel(page)).toHaveCount(0);

  // Or mine, on top of a second change of theirs: what I did not touch stays as they have it.
  await field(page, 'Storage (MB)').fill('1024');
  await change('Theirs again');
  await submitPlan(page).click();
  await keepMine(page).click();
  await expect(page.getByText(`Plan updated successfully: ${plan.name}`)).toBeVisible();
  await expect(page).toHaveURL(/\/plans$/);
  const saved = await meridian.call(planGet, { params });
  expect(saved.plan.description).toEqual({ en: 'Theirs again' });
  expect(saved.plan.displayOrder).toBe(61);
  expect(saved.plan.limits['storage_mb']).toBe(1024);
});

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
});

test('a third change between the choice and the sending is shown again', async ({
  signedIn: page,
  meridian,
}) => {
  const { plan } = await meridian.call(planCreate, { body: planBody(`third-${Date.now()}`) });
  const { tier: _, ...mine } = planBody(plan.name);
  const change = (displayOrder: number) =>
    meridian.call(planUpdate, { params: { id: plan.id }, body: { ...mine, displayOrder } });
  await page.goto(`${meridian.url}/plans/${plan.id}/edit`);
  await field(page, 'Storage (MB)').fill('512');
  await change(5);
  await submitPlan(page).click();
  await expect(keepMine(page)).toBeVisible();
  await change(6);
  await keepMine(page).click();
  await expect(rows(page, 'They changed')).toHaveText(['FieldBeforeTheirs', 'Display order56']);
  await expect(rows(page, 'You changed')).toHaveText(['FieldTheirsYours', 'Storage100512']);
  await expect(panel(page)).toBeFocused();
});

test('a currency that was deactivated meanwhile is not activated by renaming it', async ({
  signedIn: page,
  meridian,
}) => {
  const code = `x${String.fromCodePoint(97 + (Date.now() % 26))}x`;
  const body = { code, name: 'Test money', symbol: 'T' };
  const { currency } = await meridian.call(currencyCreate, { body });
  const params = { id: currency.id };
  await page.goto(`${meridian.url}/settings/currencies/${currency.id}/edit`);
  await currencyText(page, 'Name').fill('Renamed');
  await meridian.call(currencyDeactivate, { params });
  await meridian.call(currencyUpdate, { params, body: { displayOrder: 5 } });

  await submitCurrency(page).click();
  await expect(panel(page)).toBeFocused();
  await expect(panel(page).getByRole('alert')).toContainText(
    'Someone else changed this currency while you were editing it.',
  );
  await expect(rows(page, 'They changed')).toHaveText([
    'FieldBeforeTheirs',
    'Display order9995',
    'ActiveYesNo',
  ]);
  await expect(rows(page, 'You changed')).toHaveText(['FieldTheirsYours', 'NameTest moneyRenamed']);
  await keepMine(page).click();
  await expect(
    page.getByText(`Currency updated successfully: ${code.toUpperCase()}`),
  ).toBeVisible();
  const saved = await meridian.call(currencyGet, { params });
  expect(saved.currency).toMatchObject({ name: 'Renamed', displayOrder: 5, isActive: false });
});
