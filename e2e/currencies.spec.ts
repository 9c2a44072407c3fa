import { currencyCreate, currencyList } from '@meridian/contract';
import {
  currencyText,
  decimalPlaces,
  displayOrder,
  fillEuro,
  openCurrencyCreate,
  submitCurrency,
} from './support/currency-form.ts';
import { gate } from './support/gate.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { toggle } from './support/plan-form.ts';
import { sampleCurrency } from './support/samples.ts';
import { stopClock, tickUntil } from './support/stopped-clock.ts';
import { expect, test } from './support/test.ts';

test('starts with the defaults of the specification', async ({ page, standIn }) => {
  await openCurrencyCreate(page, standIn);
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
});

test('the code is lower-cased as it is typed and stops at three', async ({ page, standIn }) => {
  await openCurrencyCreate(page, standIn);
  await currencyText(page, 'Code').pressSequentially('EuRo');
  await expect(currencyText(page, 'Code')).toHaveValue('eur');
});

test('a capital typed in the middle leaves the caret where it was', async ({ page, standIn }) => {
  await openCurrencyCreate(page, standIn);
  const code = currencyText(page, 'Code');
  await code.fill('xyz');
  await code.press('Home');
  await code.press('ArrowRight');
  await code.press('Delete');
  await code.pressSequentially('Q');
  await expect(code).toHaveValue('xqz');
  const caret = await code.evaluate((input: HTMLInputElement) => input.selectionStart);
  expect(caret).toBe(2);
});

test('on a phone a field to correct is not under the bar at the top', async ({ page, standIn }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openCurrencyCreate(page, standIn);
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

test('the decimals toggle reveals the places', async ({ page, standIn }) => {
  await openCurrencyCreate(page, standIn);
  await toggle(page, 'Use decimals').click();
  await expect(decimalPlaces(page)).toHaveCount(0);
  await toggle(page, 'Use decimals').click();
  await expect(decimalPlaces(page)).toBeVisible();
});

test('asks for what is missing or wrong, word for word', async ({ page, standIn }) => {
  await openCurrencyCreate(page, standIn);
  const required = 'Code, name, and symbol are required';
  await submitCurrency(page).click();
  await expect(currencyText(page, 'Code')).toHaveAccessibleDescription(new RegExp(required));
  await expect(currencyText(page, 'Code')).toBeFocused();
  await expect(page.getByText(required)).toHaveCount(1);
  await expect(currencyText(page, 'Name')).toHaveAccessibleDescription('Name is required');
  await expect(currencyText(page, 'Symbol')).toHaveAccessibleDescription('Symbol is required');
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
  await displayOrder(page).fill('-1');
  await submitCurrency(page).click();
  await expect(displayOrder(page)).toHaveAccessibleDescription(
    /Display order must be a whole number of at least 0/,
  );
  await displayOrder(page).fill('1,000');
  await submitCurrency(page).click();
  await expect(displayOrder(page)).toHaveAccessibleDescription(
    /Display order must be a whole number of at least 0/,
  );
  expect(standIn.callsTo(currencyCreate)).toEqual([]);
});

test('sends once, says so with the code in capitals, and returns after two seconds', async ({
  page,
  standIn,
}) => {
  await page.clock.install();
  await openCurrencyCreate(page, standIn);
  await fillEuro(page);
  await decimalPlaces(page).selectOption('3');
  await displayOrder(page).fill('5');
  await toggle(page, 'Active').click();
  const slow = gate();
  standIn.on(currencyCreate, {
    status: 201,
    body: { currency: sampleCurrency() },
    until: slow.opened,
  });
  await stopClock(page);
  await submitCurrency(page).dblclick();
  await expect(page.getByText('Creating...')).toBeVisible();
  slow.open();
  const toast = page.getByText('Currency created successfully: EUR', { exact: true });
  await tickUntil(page, () => toast.isVisible());
  await page.clock.runFor(1900);
  await expect(page).toHaveURL(/\/settings\/currencies\/create$/);
  await page.clock.runFor(200);
  await expect(page).toHaveURL(/\/settings$/);
  await expect(toast).toBeVisible();
  expect(standIn.callsTo(currencyCreate).map(({ body }) => body)).toEqual([
    {
      code: 'eur',
      name: 'Euro',
      symbol: '€',
      useDecimals: true,
      decimalPlaces: 3,
      displayOrder: 5,
      isActive: false,
    },
  ]);
});

test('a refusal is said at the foot, and nothing typed is lost', async ({ page, standIn }) => {
  await openCurrencyCreate(page, standIn);
  await fillEuro(page);
  standIn.on(currencyCreate, { cut: true });
  await submitCurrency(page).click();
  await expect(page.getByRole('alert')).toContainText('Failed to create currency');
  standIn.on(currencyCreate, {
    status: 409,
    body: { message: 'A currency with this code already exists' },
  });
  await currencyText(page, 'Symbol').press('Enter');
  await expect(page.getByRole('alert')).toHaveText('A currency with this code already exists');
  await expect(currencyText(page, 'Code')).toHaveValue('eur');
});

test('Cancel goes to the currencies, after asking when something was typed', async ({
  page,
  standIn,
}) => {
  await openCurrencyCreate(page, standIn);
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

test('is accessible, with errors as well', async ({ page, standIn }) => {
  await openCurrencyCreate(page, standIn);
  await submitCurrency(page).click();
  await expect(currencyText(page, 'Code')).toBeFocused();
  await expectAccessibleInTwoLooks(page);
});

test('on the real server a currency is added and edited', async ({ signedIn: page, meridian }) => {
  const { currencies } = await meridian.call(currencyList, { query: { includeInactive: true } });
  const taken = new Set(currencies.map(({ code }) => code));
  const free = ['chf', 'sek', 'nok', 'dkk', 'pln'].find((code) => !taken.has(code)) ?? 'czk';
  await page.goto(`${meridian.url}/settings/currencies/create`);
  await currencyText(page, 'Code').fill('usd');
  await currencyText(page, 'Name').fill('Test money');
  await currencyText(page, 'Symbol').fill('T');
  await submitCurrency(page).click();
  await expect(currencyText(page, 'Code')).toHaveAccessibleDescription(
    /A currency with this code already exists/,
  );
  await expect(currencyText(page, 'Code')).toBeFocused();
  await currencyText(page, 'Code').fill(free);
  await submitCurrency(page).click();
  const code = free.toUpperCase();
  await expect(page.getByText(`Currency created successfully: ${code}`)).toBeVisible();
  await expect(page).toHaveURL(/\/settings$/);

  const row = page.getByRole('row').filter({ hasText: code });
  await row.getByRole('link', { name: 'Edit' }).click();
  await toggle(page, 'Use decimals').click();
  await submitCurrency(page).click();
  await expect(page.getByText(`Currency updated successfully: ${code}`)).toBeVisible();
  await expect(row.getByRole('cell').nth(3)).toHaveText('0');
  await row.getByRole('button', { name: 'Deactivate' }).click();
  await expect(row.getByText('Inactive')).toBeVisible();
});
