import { currencyList, settingsGet } from '@meridian/contract';
import type { Locator, Page } from '@playwright/test';
import { expect } from './test.ts';
import { visit } from './visit.ts';
import type { StandIn } from './stand-in.ts';

export const currencyText = (page: Page, name: string): Locator =>
  page.getByRole('textbox', { name });
export const displayOrder = (page: Page): Locator =>
  page.getByRole('spinbutton', { name: 'Display order' });
export const decimalPlaces = (page: Page): Locator =>
  page.getByRole('combobox', { name: 'Decimal places' });
export const submitCurrency = (page: Page): Locator =>
  page.getByRole('button', { name: /^(Create|Update) Currency/ });

/** Before a server that holds no currency. */
export async function openCurrencyCreate(page: Page, standIn: StandIn): Promise<void> {
  const updated_at = '2026-11-14T09:30:00.000Z';
  standIn.on(settingsGet, {
    body: { is_closed_beta: false, is_service_suspended: false, version: 1, updated_at },
  });
  standIn.on(currencyList, { body: { currencies: [] } });
  await visit(page, standIn, '/settings/currencies/create');
  await expect(currencyText(page, 'Code')).toBeVisible();
}

export async function fillEuro(page: Page): Promise<void> {
  await currencyText(page, 'Code').fill('EUR');
  await currencyText(page, 'Name').fill('Euro');
  await currencyText(page, 'Symbol').fill('€');
}
