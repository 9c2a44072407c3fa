import { PLAN_BODY } from '@meridian/contract/samples';
import { currencyList, planGet, planList } from '@meridian/contract';
import type { Currency, Plan } from '@meridian/contract';
import type { Locator, Page } from '@playwright/test';
import type { App } from './app.ts';
import { sampleCurrency } from './samples.ts';
import type { StandIn } from './stand-in.ts';
import { expect } from './test.ts';
import { visit } from './visit.ts';

export const USD = sampleCurrency();
const JPY = sampleCurrency({
  code: 'jpy',
  name: 'Japanese Yen',
  symbol: '¥',
  useDecimals: false,
  displayOrder: 10,
});
const GBP = sampleCurrency({
  code: 'gbp',
  name: 'Pound',
  symbol: '£',
  displayOrder: 20,
  isActive: false,
});

/** The card of a plan in the list. */
export const planCard = (page: Page, name: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2, name }) });

/** Something to type or choose in, by its name as screen readers say it. */
export const field = (page: Page, name: string): Locator =>
  page
    .getByRole('textbox', { name, exact: true })
    .or(page.getByRole('spinbutton', { name, exact: true }))
    .or(page.getByRole('combobox', { name, exact: true }));

export const toggle = (page: Page, name: string): Locator =>
  page.getByRole('switch', { name, exact: true });

export const submitPlan = (page: Page): Locator =>
  page.getByRole('button', { name: /^(Create|Update) Plan/ });

/** The form of a new plan on the real server. */
export async function openPlanForm(page: Page, app: App): Promise<void> {
  await app.open('/plans/create');
  await expect(field(page, 'Name')).toBeVisible();
}

export async function openPlanCreate(
  page: Page,
  standIn: StandIn,
  currencies: Currency[] = [USD, JPY, GBP],
): Promise<void> {
  standIn.on(currencyList, { body: { currencies } }).on(planList, { body: { plans: [] } });
  await visit(page, standIn, '/plans/create');
  await expect(field(page, 'Name')).toBeVisible();
}

export async function openPlanEdit(page: Page, standIn: StandIn, plan: Plan): Promise<void> {
  standIn.on(currencyList, { body: { currencies: [USD, JPY, GBP] } });
  standIn.on(planGet, { body: { plan } }).on(planList, { body: { plans: [plan] } });
  await visit(page, standIn, `/plans/${plan.id}/edit`);
  await expect(field(page, 'Name')).toHaveValue(plan.name);
}

export async function fillRequiredOfPlan(page: Page): Promise<void> {
  await field(page, 'Tier').selectOption('BASIC');
  await field(page, 'Name').fill('creator');
  await field(page, 'Display name').fill('Creator');
  await field(page, 'Description').fill('For every day');
}

/** A free plan with no more than it needs. */
export const planBody = (name: string) => ({
  ...PLAN_BODY,
  name,
  displayName: { en: name },
  description: { en: 'Made for a test' },
});
