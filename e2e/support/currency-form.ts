import { currencyGet, currencyList, settingsGet } from '@meridian/contract';
import type { Currency } from '@meridian/contract';
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

/** The settings that the currency forms return to, without any currency. */
function emptySettings(standIn: StandIn): StandIn {
  const updated_at = '2026-11-14T09:30:00.000Z';
  standIn.on(settingsGet, {
    body: { is_closed_beta: false, is_service_suspended: false, version: 1, updated_at },
  });
  return standIn.on(currencyList, { body: { currencies: [] } });
}

export async function openCurrencyCreate(page: Page, standIn: StandIn): Promise<void> {
  emptySettings(standIn);
  await visit(page, standIn, '/settings/currencies/create');
  await expect(currencyText(page, 'Code')).toBeVisible();
}

export async function openCurrencyEdit(
  page: Page,
  standIn: StandIn,
  currency: Currency,
): Promise<void> {
  emptySettings(standIn).on(currencyGet, { body: { currency } });
  await visit(page, standIn, `/settings/currencies/${currency.id}/edit`);
  await expect(currencyText(page, 'Name')).toHaveValue(currency.name);
}

export async function fillEuro(page: Page): Promise<void> {
  await currencyText(page, 'Code').fill('EUR');
  await currencyText(page, 'Name').fill('Euro');
  await currencyText(page, 'Symbol').fill('€');
}
