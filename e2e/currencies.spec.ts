import { currencyCreate, currencyGet, currencyList, currencyUpdate } from '@meridian/contract';
import type { Page } from '@playwright/test';
import type { App } from './support/app.ts';
import {
  currencyText,
  decimalPlaces,
  displayOrder,
  fillEuro,
  submitCurrency,
} from './support/currency-form.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { preload } from './support/navigate.ts';
import { toggle } from './support/plan-form.ts';
import { stopClock, tickUntil } from './support/stopped-clock.ts';
import { expect, test } from './support/test.ts';

async function openForm(page: Page, app: App) {
  await app.open('/settings/currencies/create');
  await expect(currencyText(page, 'Code')).toBeVisible();
}

async function stored({ meridian }: App, code: string) {
  const { currencies } = await meridian.call(currencyList, { query: { includeInactive: true } });
  return currencies.filter((currency) => currency.code === code);
}

// Proves 2.145, 2.146, 2.147, 9.8
test('a new currency starts with the defaults of the specification', async ({ page, app }) => {
  await openForm(page, app);
  await expect(page.getByRole('heading', { level: 1, name: 'Add New Currency' })).toBeVisible();
  await expect(page).toHaveTitle('Add New Currency · Meridian');
  for (const name of ['Code', 'Name', 'Symbol'])
    await expect(currencyText(page, name)).toHaveValue('');
  await expect(toggle(page, 'Use decimals')).toBeChecked();
  await expect(decimalPlaces(page).locator(':checked')).toHaveText('2');
  await expect(decimalPlaces(page).getByRole('option')).toHaveText(['0', '1', '2', '3', '4']);
  await expect(displayOrder(page)).toHaveValue('999');
  await expect(displayOrder(page)).toHaveAttribute('min', '0');
  await expect(toggle(page, 'Active')).toBeChecked();
  // The decimals toggle reveals the places.
  await toggle(page, 'Use decimals').click();
  await expect(decimalPlaces(page)).toHaveCount(0);
  await toggle(page, 'Use decimals').click();
  await expect(decimalPlaces(page)).toBeVisible();

  // The code is lower-cased as it is typed and stops at three.
  const code = currencyText(page, 'Code');
  await code.pressSequentially('EuRo');
  await expect(code).toHaveValue('eur');
  // A capital typed in the middle leaves the caret where it was.
  await code.fill('xyz');
  await code.press('Home');
  await code.press('ArrowRight');
  await code.press('Delete');
  await code.pressSequentially('Q');
  await expect(code).toHaveValue('xqz');
  expect(await code.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(2);
});

test('on a phone a field to correct is not under the bar at the top', async ({ page, app }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openForm(page, app);
  const bar = await page.getByRole('banner').boundingBox();
  // Where the button is pressed decides how much of the field is in sight already.
  for (const height of [600, 660, 700, 740, 780]) {
    await page.setViewportSize({ width: 360, height });
    await submitCurrency(page).click();
    await expect(currencyText(page, 'Code')).toBeFocused();
    const label = await page.locator('label', { hasText: 'Code' }).boundingBox();
    expect(label?.y, `at ${height}`).toBeGreaterThanOrEqual(bar?.height ?? 0);
  }
});

// Proves 5.1, 5.2
test('asks for what is missing or wrong, word for word', async ({ page, app }) => {
  await openForm(page, app);
  const required = 'Code, name, and symbol are required';
  await submitCurrency(page).click();
  await expect(currencyText(page, 'Code')).toHaveAccessibleDescription(new RegExp(required));
  await expect(currencyText(page, 'Code')).toBeFocused();
  await expect(page.getByText(required)).toHaveCount(1);
  await expect(currencyText(page, 'Name')).toHaveAccessibleDescription('Name is required');
  await expect(currencyText(page, 'Symbol')).toHaveAccessibleDescription('Symbol is required');
  await expectAccessibleInTwoLooks(page);
  await currencyText(page, 'Code').fill('eu');
  await expect(currencyText(page, 'Code')).toHaveAccessibleDescription(
    /Currency code must be exactly 3 characters \(ISO 4217\)/,
  );
  await currencyText(page, 'Code').fill('e1r');
  await expect(currencyText(page, 'Code')).toHaveAccessibleDescription(
    /Currency code must be three letters \(ISO 4217\)/,
  );
  await currencyText(page, 'Code').fill('eur');
  await expect(currencyText(page, 'Name')).toHaveAccessibleDescription(required);
  await currencyText(page, 'Name').fill('Euro');
  await expect(currencyText(page, 'Symbol')).toHaveAccessibleDescription(required);
  await currencyText(page, 'Symbol').fill('€');
  for (const order of ['-1', '1,000']) {
    await displayOrder(page).fill(order);
    await submitCurrency(page).click();
    await expect(displayOrder(page)).toHaveAccessibleDescription(
      /Display order must be a whole number of at least 0/,
    );
  }
  expect(app.callsTo(currencyCreate)).toEqual([]);
});

// Proves 1.6, 2.150, 7.38, 8.46
test('sends once, says so with the code in capitals, and returns after two seconds', async ({
  page,
  app,
}) => {
  await page.clock.install();
  await openForm(page, app);
  await preload(page, '/settings');
  await fillEuro(page);
  // A code that is taken is refused at its field, and nothing typed is lost.
  await currencyText(page, 'Code').fill('usd');
  await currencyText(page, 'Symbol').press('Enter');
  await expect(currencyText(page, 'Code')).toHaveAccessibleDescription(
    /A currency with this code already exists/,
  );
  await expect(currencyText(page, 'Code')).toBeFocused();
  await expect(currencyText(page, 'Name')).toHaveValue('Euro');

  await currencyText(page, 'Code').fill('eur');
  await decimalPlaces(page).selectOption('3');
  await displayOrder(page).fill('5');
  await toggle(page, 'Active').click();
  const held = await app.hold(currencyCreate);
  await stopClock(page);
  await submitCurrency(page).dblclick();
  await expect(page.getByText('Creating...')).toBeVisible();
  held.release();
  const toast = page.getByText('Currency created successfully: EUR', { exact: true });
  await tickUntil(page, () => toast.isVisible());
  await page.clock.runFor(1900);
  await expect(page).toHaveURL(/\/settings\/currencies\/create$/);
  await page.clock.runFor(200);
  await expect(page).toHaveURL(/\/settings$/);
  await expect(toast).toBeVisible();
  const sent = {
    code: 'eur',
    name: 'Euro',
    symbol: '€',
    useDecimals: true,
    decimalPlaces: 3,
    displayOrder: 5,
    isActive: false,
  };
  expect(app.callsTo(currencyCreate).map(({ body }) => body)).toEqual([
    expect.objectContaining({ code: 'usd' }),
    sent,
  ]);
  expect(await stored(app, 'eur')).toEqual([expect.objectContaining(sent)]);
});

// Proves 2.152
test('Cancel goes to the currencies, after asking when something was typed', async ({
  page,
  app,
}) => {
  await openForm(page, app);
  const cancel = page.getByRole('link', { name: 'Cancel' });
  await expect(cancel).toHaveAttribute('href', '/currencies');
  await currencyText(page, 'Name').fill('Euro');
  await cancel.click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(currencyText(page, 'Name')).toHaveValue('Euro');
  await cancel.click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
  await expect(page).toHaveURL(/\/settings#currencies$/);
});

test('Back pressed twice asks once, and the answer holds', async ({ page, app }) => {
  await app.open('/settings');
  await page.getByRole('link', { name: 'Edit' }).first().click();
  const dialog = page.getByRole('alertdialog');
  for (const [button, path] of [
    ['Cancel', /\/edit$/],
    ['Confirm', /\/settings$/],
  ] as const) {
    await currencyText(page, 'Name').fill('typed');
    for (let presses = 0; presses < 2; presses += 1) {
      await page.evaluate(() => history.back());
      await expect(dialog).toBeVisible();
    }
    await dialog.getByRole('button', { name: button }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL(path);
  }
});

// Proves 2.148, 2.149, 4.34, 5.4, 7.36, 7.37, 8.47
test('a currency is edited without its code; the console says so and returns at once', async ({
  page,
  app,
}) => {
  const [yen] = await stored(app, 'jpy');
  const loading = await app.hold(currencyGet);
  await watchLayoutShift(page);
  await app.open(`/settings/currencies/${yen?.id}/edit`);
  await expect(page.getByText('Loading...')).toBeVisible();
  loading.release();
  await expect(currencyText(page, 'Name')).toHaveValue('Japanese Yen');
  await expectNoLayoutShift(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Edit Currency' })).toBeVisible();
  await expect(page).toHaveTitle('Edit Currency · Meridian');
  await expect(currencyText(page, 'Code')).toHaveValue('jpy');
  await expect(currencyText(page, 'Code')).toHaveAttribute('readonly');
  await expect(currencyText(page, 'Symbol')).toHaveValue('¥');
  await expect(toggle(page, 'Use decimals')).not.toBeChecked();
  await expect(decimalPlaces(page)).toHaveCount(0);
  await expect(displayOrder(page)).toHaveValue('20');
  await expect(toggle(page, 'Active')).toBeChecked();
  await expect(page.getByRole('link', { name: 'Cancel' })).toHaveAttribute('href', '/currencies');
  await expectAccessibleInTwoLooks(page);

  const required = 'Name and symbol are required';
  await currencyText(page, 'Symbol').fill(' ');
  await submitCurrency(page).click();
  await expect(currencyText(page, 'Symbol')).toHaveAccessibleDescription(required);
  await currencyText(page, 'Symbol').fill('¥');
  await currencyText(page, 'Name').fill('');
  await expect(currencyText(page, 'Name')).toHaveAccessibleDescription(required);
  expect(app.callsTo(currencyUpdate)).toEqual([]);

  await currencyText(page, 'Name').fill('Yen');
  const held = await app.hold(currencyUpdate);
  await submitCurrency(page).dblclick();
  await expect(page.getByText('Updating...')).toBeVisible();
  held.release();
  await expect(page).toHaveURL(/\/settings$/);
  await expect(page.getByText('Currency updated successfully: JPY', { exact: true })).toBeVisible();
  const sent = {
    name: 'Yen',
    symbol: '¥',
    useDecimals: false,
    decimalPlaces: 2,
    displayOrder: 20,
    isActive: true,
  };
  expect(app.callsTo(currencyUpdate).map(({ method, url, body }) => [method, url, body])).toEqual([
    ['PATCH', `/api/admin/currencies/${yen?.id}`, sent],
  ]);
  expect(await stored(app, 'jpy')).toEqual([expect.objectContaining({ ...sent, code: 'jpy' })]);
});

test('a response in the background never touches what was typed', async ({ page, app }) => {
  await page.clock.install();
  const [yen] = await stored(app, 'jpy');
  await app.open(`/settings/currencies/${yen?.id}/edit`);
  await currencyText(page, 'Name').fill('typed');
  const params = { id: yen?.id ?? '' };
  await app.meridian.call(currencyUpdate, { params, body: { name: 'changed elsewhere' } });
  const before = app.callsTo(currencyGet).length;
  // Old enough to be asked for again when the window is looked at.
  await page.clock.fastForward(60_000);
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  );
  await expect.poll(() => app.callsTo(currencyGet).length).toBeGreaterThan(before);
  await expect(currencyText(page, 'Name')).toHaveValue('typed');
});

// Proves 2.151
test('an unknown currency has a way back', async ({ page, app }) => {
  await app.open('/settings/currencies/nowhere/edit');
  await expect(page.getByText('Currency not found')).toBeVisible();
  await page.getByRole('link', { name: 'Back to Currencies' }).click();
  await expect(page).toHaveURL(/\/settings#currencies$/);
});
