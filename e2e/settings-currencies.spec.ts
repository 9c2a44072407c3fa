import {
  currencyActivate,
  currencyDeactivate,
  currencyList,
  settingsGet,
} from '@meridian/contract';
import type { Locator, Page } from '@playwright/test';
import type { App } from './support/app.ts';
import { currencies, currencyRow } from './support/settings-page.ts';
import { withoutEvents } from './support/open-requests.ts';
import { expect, test } from './support/test.ts';

const tab = (page: Page, name: string) =>
  currencies(page).getByRole('button', { name, exact: true });

/** Where it stands from top to bottom. */
async function heightOf(action: Locator) {
  const { y, height } = (await action.boundingBox()) ?? {};
  return { y, height };
}

async function idOf({ meridian }: App, code: string) {
  const listed = await meridian.call(currencyList, { query: { includeInactive: true } });
  return listed.currencies.find((currency) => currency.code === code)?.id ?? '';
}

// Proves 2.142, 2.143, 7.35
test('the currencies stand in a table with every field', async ({ page, app }) => {
  await withoutEvents(page);
  await app.open('/settings');
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
  for (const [code, ...cells] of [
    ['USD', 'US Dollar', '$', '2', '0', 'Active', 'EditDeactivateDeactivating...'],
    ['JPY', 'Japanese Yen', '¥', '0', '20', 'Active', 'EditDeactivateDeactivating...'],
    ['GBP', 'Pound Sterling', '£', '2', '1,999', 'Inactive', 'EditActivateActivating...'],
  ] as const) {
    await expect(currencyRow(page, code).getByRole('cell')).toHaveText([code, ...cells]);
  }
  const edit = currencyRow(page, 'USD').getByRole('link', { name: 'Edit' });
  const usd = await idOf(app, 'usd');
  await expect(edit).toHaveAttribute('href', `/settings/currencies/${usd}/edit`);
  await expect(edit).toHaveAccessibleDescription('USD');
  await expect(page.getByRole('link', { name: 'Add New Currency' })).toHaveAttribute(
    'href',
    '/settings/currencies/create',
  );
  expect(app.addressesOf(currencyList)).toEqual(['/api/admin/currencies?includeInactive=true']);
});

test('the currencies have room for their words at every width, on a phone below their codes', async ({
  page,
  app,
}) => {
  await app.open('/settings');
  const name = currencyRow(page, 'JPY').getByText('Japanese Yen');
  const status = currencyRow(page, 'GBP').getByText('Inactive', { exact: true });
  for (const width of [1440, 1024, 768, 360]) {
    await page.setViewportSize({ width, height: 900 });
    const linesOfWord = await name.evaluate((element) => {
      const range = document.createRange();
      const text = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
      if (text === null) throw new Error('The name has no text');
      range.setStart(text, 0);
      range.setEnd(text, 'Japanese'.length);
      return range.getClientRects().length;
    });
    expect(linesOfWord, `${width} px`).toBe(1);
    const cut = await status.evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(cut, `${width} px`).toBeLessThanOrEqual(0);
  }
  for (const code of ['USD', 'JPY', 'GBP']) {
    const [first, second] = await currencyRow(page, code)
      .getByRole('cell')
      .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().toJSON()));
    expect(second.left).toBe(first.left);
    expect(second.top).toBeGreaterThanOrEqual(first.bottom);
  }
});

test('the actions of a currency stand in one line, active or not', async ({ page, app }) => {
  await app.open('/settings');
  for (const code of ['USD', 'GBP']) {
    const row = currencyRow(page, code);
    const edit = await heightOf(row.getByRole('link', { name: 'Edit' }));
    expect(edit.height).toBe(28);
    expect(await heightOf(row.getByRole('button', { name: /ctivate$/ }))).toEqual(edit);
  }
});

// Proves 2.144
test('the currencies have three tabs, kept in the address', async ({ page, app, catalogue }) => {
  await app.open('/settings');
  const codes = page.getByRole('cell', { name: /^[A-Z]{3}$/ });
  await expect(codes).toHaveText(['USD', 'JPY', 'GBP']);
  await expect(
    page.getByRole('navigation', { name: 'Currencies shown' }).getByRole('button'),
  ).toHaveText(['All', 'Active', 'Inactive']);
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
  await tab(page, 'Inactive').click();

  // A row that leaves its tab leaves the focus in the section.
  await currencyRow(page, 'GBP').getByRole('button', { name: 'Activate' }).press('Enter');
  await expect(page.getByText('No currencies found')).toBeVisible();
  await expect(page.locator('#currencies')).toBeFocused();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(codes).toHaveText(['USD', 'JPY', 'GBP']);
  await expect(page).toHaveURL(/\/settings$/);

  await catalogue.clear();
  await page.reload();
  await expect(page.getByText('No currencies found')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Add New Currency' })).toHaveCount(2);
});

// Proves 1.6, 4.29, 7.39, 7.40
test('a currency is deactivated by the delete call and activated by its own, once per double click', async ({
  page,
  app,
}) => {
  const [usd, gbp] = [await idOf(app, 'usd'), await idOf(app, 'gbp')];
  await app.open('/settings');
  const held = await app.hold(currencyDeactivate);
  const button = (code: string, name: string) =>
    currencyRow(page, code).getByRole('button', { name });
  await button('USD', 'Deactivate').dblclick();
  await expect(button('USD', 'Deactivating...')).toHaveAttribute('aria-busy', 'true');
  held.release();
  await expect(currencyRow(page, 'USD').getByText('Inactive')).toBeVisible();
  await expect(page.getByText('USD is now inactive', { exact: true })).toBeVisible();
  await button('GBP', 'Activate').dblclick();
  await expect(button('GBP', 'Deactivate')).toBeVisible();
  await expect(page.getByText('GBP is now active', { exact: true })).toBeVisible();
  const sent = [...app.callsTo(currencyDeactivate), ...app.callsTo(currencyActivate)];
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `DELETE /api/admin/currencies/${usd}`,
    `POST /api/admin/currencies/${gbp}/activate`,
  ]);
  const { currencies: active } = await app.meridian.call(currencyList);
  expect(active.map(({ code }) => code)).toEqual(['jpy', 'gbp']);
});

// Proves 2.159
test('a currency that a plan is sold in stays active; the dialog says why', async ({
  page,
  app,
  catalogue,
}) => {
  const plan = await catalogue.plan();
  await app.open('/settings');
  const button = currencyRow(page, 'USD').getByRole('button', { name: 'Deactivate' });
  await button.click();
  const dialog = page.getByRole('alertdialog', { name: 'Deactivate USD' });
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog).toContainText(
    `These active plans are priced only in this currency: ${plan.name}. Add another price or deactivate them first`,
  );
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(button).toBeFocused();
  await expect(currencyRow(page, 'USD').getByText('Active')).toBeVisible();
});

test.describe('the anchor', () => {
  test.use({ viewport: { width: 1000, height: 500 } });
  const MANY = Array.from({ length: 20 }, (_, index) => `${String.fromCodePoint(97 + index)}aa`);

  for (const [path, how] of [
    ['/settings#currencies', 'an address with the anchor'],
    ['/currencies', 'the address without a screen'],
  ] as const) {
    // Proves 2.20
    test(`${how} leads to the section once everything is loaded`, async ({
      page,
      app,
      catalogue,
    }) => {
      await catalogue.currencies(MANY);
      const held = await app.hold(settingsGet);
      await app.open(path);
      await expect(page).toHaveURL(/\/settings#currencies$/);
      held.release();
      await expect(page.locator('#currencies')).toBeFocused();
      await expect(page.getByRole('heading', { name: 'Currencies' })).toBeInViewport();
      await expect(page.getByRole('heading', { level: 1 })).not.toBeInViewport();

      // Back from a form returns to the row, not to the anchor.
      const last = page.getByRole('row').last();
      const edit = last.getByRole('link', { name: 'Edit' });
      // The rows that stand for it while it loads have none.
      await expect(edit).toBeAttached();
      await last.scrollIntoViewIfNeeded();
      await edit.click();
      await expect(page.getByRole('heading', { name: 'Edit Currency' })).toBeVisible();
      await page.goBack();
      await expect(last).toBeInViewport();
    });
  }
});
