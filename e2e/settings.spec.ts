import {
  currencyActivate,
  currencyDeactivate,
  currencyList,
  settingsGet,
  settingsUpdate,
} from '@meridian/contract';
import type { Currency, Settings } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { gate } from './support/gate.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectAccessibleInEveryLook } from './support/looks.ts';
import { sampleCurrency } from './support/samples.ts';
import type { StandIn } from './support/stand-in.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

const OFF: Settings = {
  is_closed_beta: false,
  is_service_suspended: false,
  updated_at: '2026-11-14T09:30:00.000Z',
};

const USD = sampleCurrency();
const JPY = sampleCurrency({
  code: 'jpy',
  name: 'Japanese Yen',
  symbol: '¥',
  useDecimals: false,
  displayOrder: 20,
});
const GBP = sampleCurrency({
  code: 'gbp',
  name: 'Pound Sterling',
  symbol: '£',
  displayOrder: 1999,
  isActive: false,
});

async function openSettings(page: Page, standIn: StandIn, path = '/settings') {
  standIn.on(settingsGet, { body: OFF });
  standIn.on(currencyList, { body: { currencies: [USD, JPY, GBP] } });
  await visit(page, standIn, path);
}

const service = (page: Page) => page.getByRole('region', { name: 'Service', exact: true });
const currencies = (page: Page) => page.getByRole('region', { name: 'Currencies' });
const row = (page: Page, code: string) => page.getByRole('row').filter({ hasText: code });
const tab = (page: Page, name: string) =>
  currencies(page).getByRole('button', { name, exact: true });

test('says when a switch was last turned', async ({ page, standIn }) => {
  await openSettings(page, standIn);
  await expect(service(page).getByText('Last updated')).toBeVisible();
  await expect(service(page).getByText('14 Nov 2026, 10:30')).toBeVisible();
});

const FLAGS = [
  {
    label: 'Closed beta',
    name: 'is_closed_beta',
    effect:
      'Closed beta: only users with access keywords can use the service; existing users are unaffected.',
    end: 'Everyone can use the service again, with or without an access keyword.',
  },
  {
    label: 'Service suspension',
    name: 'is_service_suspended',
    effect: 'Suspension: all users cannot access the service and scheduled posts are not executed.',
    end: 'All users can access the service again and scheduled posts are executed.',
  },
] as const;

for (const { label, name, effect, end } of FLAGS) {
  test.describe(label, () => {
    test('warns of the effect, and moves only after Confirm', async ({ page, standIn }) => {
      let settings = OFF;
      await openSettings(page, standIn);
      const slow = gate();
      standIn.on(settingsGet, () => ({ body: settings }));
      standIn.on(settingsUpdate, ({ body }) => {
        // The console sends nothing but the flag that changes.
        settings = { ...settings, ...(body as Partial<Settings>), updated_at: '2026-11-15T08:00Z' };
        return { body: settings, until: slow.opened };
      });
      const toggle = service(page).getByRole('switch', { name: label });
      await expect(toggle).not.toBeChecked();
      await expect(service(page).getByText('14 Nov 2026, 10:30')).toBeVisible();

      await toggle.click();
      const dialog = page.getByRole('alertdialog');
      await expect(dialog).toContainText(effect);
      await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await expect(toggle).not.toBeChecked();
      await expect(toggle).toBeFocused();
      expect(standIn.callsTo(settingsUpdate)).toEqual([]);

      await toggle.press('Space');
      await dialog.getByRole('button', { name: 'Confirm' }).dblclick();
      await expect(dialog.getByText('Saving...')).toBeVisible();
      await expect(toggle).not.toBeChecked();
      slow.open();
      await expect(dialog).toHaveCount(0);
      await expect(toggle).toBeChecked();
      await expect(service(page).getByText('15 Nov 2026, 09:00')).toBeVisible();
      expect(standIn.callsTo(settingsUpdate).map(({ body }) => body)).toEqual([{ [name]: true }]);

      await toggle.click();
      await expect(dialog).toContainText(end);
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await expect(toggle).not.toBeChecked();
      expect(standIn.callsTo(settingsUpdate).at(-1)?.body).toEqual({ [name]: false });
    });

    test('that cannot be saved says so in the dialog and stays', async ({ page, standIn }) => {
      await openSettings(page, standIn);
      standIn.on(settingsUpdate, { cut: true });
      const toggle = service(page).getByRole('switch', { name: label });
      await toggle.click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await expect(dialog.getByRole('alert')).toHaveText('Failed to update settings');
      standIn.on(settingsUpdate, { status: 503, body: { message: 'Back in a minute' } });
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await expect(dialog.getByRole('alert')).toHaveText('Back in a minute');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(toggle).not.toBeChecked();
    });
  });
}

test.describe('the currencies', () => {
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
    const cells = (code: string) => row(page, code).getByRole('cell');
    await expect(cells('USD')).toHaveText([
      'USD',
      'US Dollar',
      '$',
      '2',
      '0',
      'Active',
      'EditDeactivate',
    ]);
    await expect(cells('JPY')).toHaveText([
      'JPY',
      'Japanese Yen',
      '¥',
      '0',
      '20',
      'Active',
      'EditDeactivate',
    ]);
    await expect(cells('GBP')).toHaveText([
      'GBP',
      'Pound Sterling',
      '£',
      '2',
      '1,999',
      'Inactive',
      'EditActivate',
    ]);
    const edit = row(page, 'USD').getByRole('link', { name: 'Edit' });
    await expect(edit).toHaveAttribute('href', `/settings/currencies/${USD.id}/edit`);
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
    const shown: Currency[] = [USD, GBP];
    await openSettings(page, standIn);
    standIn.on(currencyList, () => ({ body: { currencies: shown } }));
    const slow = gate();
    standIn.on(currencyDeactivate, () => {
      shown[0] = { ...USD, isActive: false };
      return { body: { currency: shown[0] }, until: slow.opened };
    });
    standIn.on(currencyActivate, () => {
      shown[1] = { ...GBP, isActive: true };
      return { body: { currency: shown[1] } };
    });

    await row(page, 'USD').getByRole('button', { name: 'Deactivate' }).dblclick();
    await expect(row(page, 'USD').getByRole('button', { name: 'Deactivate' })).toHaveAttribute(
      'aria-busy',
      'true',
    );
    slow.open();
    await expect(row(page, 'USD').getByText('Inactive')).toBeVisible();
    expect(
      standIn.callsTo(currencyDeactivate).map(({ method, url }) => `${method} ${url}`),
    ).toEqual([`DELETE /api/admin/currencies/${USD.id}`]);
    await row(page, 'GBP').getByRole('button', { name: 'Activate' }).dblclick();
    await expect(row(page, 'GBP').getByRole('button', { name: 'Deactivate' })).toBeVisible();
    expect(standIn.callsTo(currencyActivate).map(({ method, url }) => `${method} ${url}`)).toEqual([
      `POST /api/admin/currencies/${GBP.id}/activate`,
    ]);
  });

  test('a row that leaves its tab leaves the focus in the section', async ({ page, standIn }) => {
    await openSettings(page, standIn, '/settings?currencies=inactive');
    standIn.on(currencyActivate, () => {
      standIn.on(currencyList, { body: { currencies: [{ ...GBP, isActive: true }] } });
      return { body: { currency: GBP } };
    });
    await row(page, 'GBP').getByRole('button', { name: 'Activate' }).press('Enter');
    await expect(page.getByText('No currencies found')).toBeVisible();
    await expect(page.locator('#currencies')).toBeFocused();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(row(page, 'GBP')).toBeVisible();
  });

  test('a toggle that fails is told in a dialog with OK', async ({ page, standIn }) => {
    await openSettings(page, standIn);
    standIn.on(currencyDeactivate, { cut: true });
    const button = row(page, 'USD').getByRole('button', { name: 'Deactivate' });
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
    await expect(row(page, 'USD').getByText('Active')).toBeVisible();
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

test('a failure in one card leaves the other alive', async ({ page, standIn }) => {
  standIn.on(settingsGet, { cut: true }).on(currencyList, { body: { currencies: [USD] } });
  await visit(page, standIn, '/settings');
  await expect(service(page).getByRole('alert')).toContainText('Failed to load service settings');
  await expect(row(page, 'USD')).toBeVisible();

  standIn.on(currencyList, { cut: true }).on(settingsGet, { body: OFF });
  await page.reload();
  await expect(currencies(page).getByRole('alert')).toContainText(
    'Failed to load currencies. Please refresh the page.',
  );
  await expect(service(page).getByRole('switch')).toHaveCount(2);
  standIn.on(currencyList, { body: { currencies: [USD] } });
  await currencies(page).getByRole('button', { name: 'Retry' }).click();
  await expect(row(page, 'USD')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('settings that fail to load can be retried', async ({ page, standIn }) => {
  standIn.on(settingsGet, { status: 500, body: { message: 'Resting' } });
  standIn.on(currencyList, { body: { currencies: [] } });
  await visit(page, standIn, '/settings');
  await expect(service(page).getByRole('alert')).toContainText('Resting');
  standIn.on(settingsGet, { body: { ...OFF, is_closed_beta: true } });
  await service(page).getByRole('button', { name: 'Retry' }).click();
  await expect(service(page).getByRole('switch', { name: 'Closed beta' })).toBeChecked();
});

test('loads without moving anything, and is accessible', async ({ page, standIn }) => {
  const answer = gate();
  standIn.on(settingsGet, { body: OFF, until: answer.opened });
  standIn.on(currencyList, { body: { currencies: [USD, GBP] }, until: answer.opened });
  await watchLayoutShift(page);
  await visit(page, standIn, '/settings');
  await expect(page.getByText('Loading...')).toBeVisible();
  await expect(page.getByRole('switch')).toHaveCount(0);
  answer.open();
  await expect(page.getByRole('switch')).toHaveCount(2);
  await expect(row(page, 'GBP')).toBeVisible();
  await expectNoLayoutShift(page);
  await expectAccessibleInEveryLook(page);
});

test('on the real server a switch holds, and so does a currency', async ({
  signedIn: page,
  meridian,
}) => {
  await page.goto(`${meridian.url}/settings`);
  const toggle = service(page).getByRole('switch', { name: 'Closed beta' });
  const { is_closed_beta: before } = await meridian.call(settingsGet);
  for (const isOn of [!before, before]) {
    await toggle.click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
    await expect(toggle).toBeChecked({ checked: isOn });
    expect((await meridian.call(settingsGet)).is_closed_beta).toBe(isOn);
  }
  const isActive = async () => {
    const answer = await meridian.call(currencyList, { query: { includeInactive: true } });
    return answer.currencies.find(({ code }) => code === 'jpy')?.isActive;
  };
  await row(page, 'JPY').getByRole('button', { name: 'Deactivate' }).click();
  await expect(row(page, 'JPY').getByText('Inactive')).toBeVisible();
  expect(await isActive()).toBe(false);
  await row(page, 'JPY').getByRole('button', { name: 'Activate' }).click();
  await expect(row(page, 'JPY').getByRole('button', { name: 'Deactivate' })).toBeVisible();
  expect(await isActive()).toBe(true);
});
