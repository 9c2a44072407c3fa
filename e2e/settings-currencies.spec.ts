import {
  currencyActivate,
  currencyDeactivate,
  currencyList,
  settingsGet,
} from '@meridian/contract';
import type { Currency } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { gate } from './support/gate.ts';
import { sampleCurrency } from './support/samples.ts';
import {
  currencies,
  currencyRow,
  OFF,
  openSettings,
  SETTINGS_GBP,
  SETTINGS_USD,
} from './support/settings-page.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

const tab = (page: Page, name: string) =>
  currencies(page).getByRole('button', { name, exact: true });

test.describe('the currencies', () => {
  test('have room for their words at every width', async ({ page, standIn }) => {
    await openSettings(page, standIn);
    const name = currencyRow(page, 'JPY').getByText('Japanese Yen');
    const status = currencyRow(page, 'GBP').getByText('Inactive', { exact: true });
    for (const width of [360, 768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const linesOfWord = await name.evaluate((element) => {
        const range = document.createRange();
        const text = element.ownerDocument
          .createTreeWalker(element, NodeFilter.SHOW_TEXT)
          .nextNode();
        if (text === null) throw new Error('The name has no text');
        range.setStart(text, 0);
        range.setEnd(text, 'Japanese'.length);
        return range.getClientRects().length;
      });
      expect(linesOfWord, `${width} px`).toBe(1);
      const cut = await status.evaluate((element) => element.scrollWidth - element.clientWidth);
      expect(cut, `${width} px`).toBeLessThanOrEqual(0);
    }
  });

  test('have their names below their codes on a phone', async ({ page, standIn }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await openSettings(page, standIn);
    for (const row of await currencies(page)
      .getByRole('row')
      .filter({ has: page.getByRole('cell') })
      .all()) {
      const [code, name] = await row
        .getByRole('cell')
        .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().toJSON()));
      expect(name.left).toBe(code.left);
      expect(name.top).toBeGreaterThanOrEqual(code.bottom);
    }
  });

  test('stand in a table with every field', async ({ page, standIn }) => {
    await openSettings(page, standIn);
    await expect(page).toHaveTitle('Service Settings · Meridian');
    const table = page.getByRole('table', { name: 'Currencies' });
    await expect(table.getByRole('columnheader')).toHaveText([
      'Code',
      'Name',
      'Symbol',
      'Decimals',
      'Display Order',
      'Status',
      'Actions',
    ]);
    const cells = (code: string) => currencyRow(page, code).getByRole('cell');
    await expect(cells('USD')).toHaveText([
      'USD',
      'US Dollar',
      '$',
      '2',
      '0',
      'Active',
      'EditDeactivateDeactivating...',
    ]);
    await expect(cells('JPY')).toHaveText([
      'JPY',
      'Japanese Yen',
      '¥',
      '0',
      '20',
      'Active',
      'EditDeactivateDeactivating...',
    ]);
    await expect(cells('GBP')).toHaveText([
      'GBP',
      'Pound Sterling',
      '£',
      '2',
      '1,999',
      'Inactive',
      'EditActivateActivating...',
    ]);
    const edit = currencyRow(page, 'USD').getByRole('link', { name: 'Edit' });
    await expect(edit).toHaveAttribute('href', `/settings/currencies/${SETTINGS_USD.id}/edit`);
    await expect(edit).toHaveAccessibleDescription('USD');
    await expect(page.getByRole('link', { name: 'Add New Currency' })).toHaveAttribute(
      'href',
      '/settings/currencies/create',
    );
    expect(standIn.callsTo(currencyList).map(({ url }) => url)).toEqual([
      '/api/admin/currencies?includeInactive=true',
    ]);
  });

  test('have three tabs, kept in the address', async ({ page, standIn }) => {
    await openSettings(page, standIn);
    const codes = page.getByRole('cell', { name: /^[A-Z]{3}$/ });
    await expect(codes).toHaveText(['USD', 'JPY', 'GBP']);
    await tab(page, 'Active').click();
    await expect(codes).toHaveText(['USD', 'JPY']);
    await expect(page).toHaveURL(/\/settings\?currencies=active$/);
    await tab(page, 'Inactive').click();
    await expect(codes).toHaveText(['GBP']);
    await page.reload();
    await expect(codes).toHaveText(['GBP']);
    await expect(tab(page, 'Inactive')).toHaveAttribute('aria-pressed', 'true');
    await tab(page, 'All').click();
    await expect(codes).toHaveText(['USD', 'JPY', 'GBP']);
    await expect(page).toHaveURL(/\/settings$/);
  });

  test('are deactivated by the delete call and activated by their own, once per double click', async ({
    page,
    standIn,
  }) => {
    const shown: Currency[] = [SETTINGS_USD, SETTINGS_GBP];
    await openSettings(page, standIn);
    standIn.on(currencyList, () => ({ body: { currencies: shown } }));
    const slow = gate();
    standIn.on(currencyDeactivate, () => {
      shown[0] = { ...SETTINGS_USD, isActive: false };
      return { body: { currency: shown[0] }, until: slow.opened };
    });
    standIn.on(currencyActivate, () => {
      shown[1] = { ...SETTINGS_GBP, isActive: true };
      return { body: { currency: shown[1] } };
    });

    await currencyRow(page, 'USD').getByRole('button', { name: 'Deactivate' }).dblclick();
    await expect(
      currencyRow(page, 'USD').getByRole('button', { name: 'Deactivating...' }),
    ).toHaveAttribute('aria-busy', 'true');
    slow.open();
    await expect(currencyRow(page, 'USD').getByText('Inactive')).toBeVisible();
    await expect(page.getByText('USD is now inactive', { exact: true })).toBeVisible();
    expect(
      standIn.callsTo(currencyDeactivate).map(({ method, url }) => `${method} ${url}`),
    ).toEqual([`DELETE /api/admin/currencies/${SETTINGS_USD.id}`]);
    await currencyRow(page, 'GBP').getByRole('button', { name: 'Activate' }).dblclick();
    await expect(
      currencyRow(page, 'GBP').getByRole('button', { name: 'Deactivate' }),
    ).toBeVisible();
    await expect(page.getByText('GBP is now active', { exact: true })).toBeVisible();
    expect(standIn.callsTo(currencyActivate).map(({ method, url }) => `${method} ${url}`)).toEqual([
      `POST /api/admin/currencies/${SETTINGS_GBP.id}/activate`,
    ]);
  });

  test('a row that leaves its tab leaves the focus in the section', async ({ page, standIn }) => {
    await openSettings(page, standIn, '/settings?currencies=inactive');
    standIn.on(currencyActivate, () => {
      standIn.on(currencyList, { body: { currencies: [{ ...SETTINGS_GBP, isActive: true }] } });
      return { body: { currency: SETTINGS_GBP } };
    });
    await currencyRow(page, 'GBP').getByRole('button', { name: 'Activate' }).press('Enter');
    await expect(page.getByText('No currencies found')).toBeVisible();
    await expect(page.locator('#currencies')).toBeFocused();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(currencyRow(page, 'GBP')).toBeVisible();
  });

  test('a toggle that fails is told in a dialog with OK', async ({ page, standIn }) => {
    await openSettings(page, standIn);
    standIn.on(currencyDeactivate, { cut: true });
    const button = currencyRow(page, 'USD').getByRole('button', { name: 'Deactivate' });
    await button.click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('Failed to toggle currency status');
    await expect(dialog.getByRole('button', { name: 'OK' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(button).toBeFocused();
    standIn.on(currencyDeactivate, { status: 409, body: { message: 'Plans depend on it' } });
    await button.click();
    await expect(dialog).toContainText('Plans depend on it');
    await dialog.getByRole('button', { name: 'OK' }).click();
    await expect(currencyRow(page, 'USD').getByText('Active')).toBeVisible();
  });

  test('none at all leads to the first one', async ({ page, standIn }) => {
    standIn.on(settingsGet, { body: OFF }).on(currencyList, { body: { currencies: [] } });
    await visit(page, standIn, '/settings');
    await expect(page.getByText('No currencies found')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Add New Currency' })).toHaveCount(2);
  });
});

test.describe('the anchor', () => {
  const many = Array.from({ length: 40 }, (_, index) =>
    sampleCurrency({ code: `${String.fromCodePoint(97 + (index % 26))}aa`, displayOrder: index }),
  );

  for (const [path, how] of [
    ['/settings#currencies', 'an address with the anchor'],
    ['/currencies', 'the address without a screen'],
  ] as const) {
    test(`${how} leads to the section once everything is loaded`, async ({ page, standIn }) => {
      await page.setViewportSize({ width: 1000, height: 500 });
      const late = gate();
      standIn.on(settingsGet, { body: OFF, until: late.opened });
      standIn.on(currencyList, { body: { currencies: many } });
      await visit(page, standIn, path);
      await expect(page).toHaveURL(/\/settings#currencies$/);
      late.open();
      await expect(page.locator('#currencies')).toBeFocused();
      await expect(page.getByRole('heading', { name: 'Currencies' })).toBeInViewport();
      await expect(page.getByRole('heading', { level: 1 })).not.toBeInViewport();
    });
  }

  test('going back returns to the place, not to the anchor', async ({ page, standIn }) => {
    await page.setViewportSize({ width: 1000, height: 500 });
    standIn.on(settingsGet, { body: OFF }).on(currencyList, { body: { currencies: many } });
    await visit(page, standIn, '/settings#currencies');
    await expect(page.locator('#currencies')).toBeFocused();
    const last = page.getByRole('row').last();
    await last.scrollIntoViewIfNeeded();
    await last.getByRole('link', { name: 'Edit' }).click();
    await expect(page.getByRole('heading', { name: 'Edit Currency' })).toBeVisible();
    await page.goBack();
    await expect(last).toBeInViewport();
  });
});
