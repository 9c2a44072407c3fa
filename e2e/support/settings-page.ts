import { currencyList, settingsGet } from '@meridian/contract';
import type { Settings } from '@meridian/contract';
import type { Locator, Page } from '@playwright/test';
import { sampleCurrency } from './samples.ts';
import { visit } from './visit.ts';
import type { StandIn } from './stand-in.ts';

export const OFF: Settings = {
  is_closed_beta: false,
  is_service_suspended: false,
  version: 1,
  updated_at: '2026-11-14T09:30:00.000Z',
};

export const SETTINGS_USD = sampleCurrency();
const SETTINGS_JPY = sampleCurrency({
  code: 'jpy',
  name: 'Japanese Yen',
  symbol: '¥',
  useDecimals: false,
  displayOrder: 20,
});
const SETTINGS_GBP = sampleCurrency({
  code: 'gbp',
  name: 'Pound Sterling',
  symbol: '£',
  displayOrder: 1999,
  isActive: false,
});

export async function openSettings(
  page: Page,
  standIn: StandIn,
  path = '/settings',
): Promise<void> {
  standIn.on(settingsGet, { body: OFF });
  standIn.on(currencyList, {
    // Out of order, as another server may send them.
    body: { currencies: [SETTINGS_GBP, SETTINGS_USD, SETTINGS_JPY] },
  });
  await visit(page, standIn, path);
}

export const service = (page: Page): Locator =>
  page.getByRole('region', { name: 'Service', exact: true });
export const currencies = (page: Page): Locator => page.getByRole('region', { name: 'Currencies' });
export const currencyRow = (page: Page, code: string): Locator =>
  page.getByRole('row').filter({ hasText: code });
