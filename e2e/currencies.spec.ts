import {
  currencyCreate,
  currencyGet,
  currencyList,
  currencyUpdate,
  settingsGet,
} from '@meridian/contract';
import type { Currency } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { gate } from './support/gate.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectAccessibleInEveryLook } from './support/looks.ts';
import { sampleCurrency } from './support/samples.ts';
import type { StandIn } from './support/stand-in.ts';
import { stopClock, tickUntil } from './support/stopped-clock.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

const text = (page: Page, name: string) => page.getByRole('textbox', { name });
const order = (page: Page) => page.getByRole('spinbutton', { name: 'Display order' });
const places = (page: Page) => page.getByRole('combobox', { name: 'Decimal places' });
const toggle = (page: Page, name: string) => page.getByRole('switch', { name });
const submit = (page: Page) => page.getByRole('button', { name: /^(Create|Update) Currency/ });

function settingsOf(standIn: StandIn) {
  const updated_at = '2026-11-14T09:30:00.000Z';
  standIn.on(settingsGet, {
    body: { is_closed_beta: false, is_service_suspended: false, updated_at },
  });
  return standIn.on(currencyList, { body: { currencies: [] } });
}

async function openCreate(page: Page, standIn: StandIn) {
  settingsOf(standIn);
  await visit(page, standIn, '/settings/currencies/create');
  await expect(text(page, 'Code')).toBeVisible();
}

async function openEdit(page: Page, standIn: StandIn, currency: Currency) {
  settingsOf(standIn).on(currencyGet, { body: { currency } });
  await visit(page, standIn, `/settings/currencies/${currency.id}/edit`);
  await expect(text(page, 'Name')).toHaveValue(currency.name);
}

async function fillEuro(page: Page) {
  await text(page, 'Code').fill('EUR');
  await text(page, 'Name').fill('Euro');
  await text(page, 'Symbol').fill('€');
}

test.describe('Add New Currency', () => {
  test('starts with the defaults of the specification', async ({ page, standIn }) => {
    await openCreate(page, standIn);
    await expect(page.getByRole('heading', { level: 1, name: 'Add New Currency' })).toBeVisible();
    await expect(page).toHaveTitle('Add New Currency · Meridian');
    for (const name of ['Code', 'Name', 'Symbol']) await expect(text(page, name)).toHaveValue('');
    await expect(toggle(page, 'Use decimals')).toBeChecked();
    await expect(places(page).locator(':checked')).toHaveText('2');
    await expect(places(page).getByRole('option')).toHaveText(['0', '1', '2', '3', '4']);
    await expect(order(page)).toHaveValue('999');
    await expect(order(page)).toHaveAttribute('min', '0');
    await expect(toggle(page, 'Active')).toBeChecked();
  });

  test('the code is lower-cased as it is typed and stops at three', async ({ page, standIn }) => {
    await openCreate(page, standIn);
    await text(page, 'Code').pressSequentially('EuRo');
    await expect(text(page, 'Code')).toHaveValue('eur');
  });

  test('the decimals toggle reveals the places', async ({ page, standIn }) => {
    await openCreate(page, standIn);
    await toggle(page, 'Use decimals').click();
    await expect(places(page)).toHaveCount(0);
    await toggle(page, 'Use decimals').click();
    await expect(places(page)).toBeVisible();
  });

  test('asks for what is missing or wrong, word for word', async ({ page, standIn }) => {
    await openCreate(page, standIn);
    const required = 'Code, name, and symbol are required';
    await submit(page).click();
    await expect(text(page, 'Code')).toHaveAccessibleDescription(new RegExp(required));
    await expect(text(page, 'Code')).toBeFocused();
    await expect(page.getByText(required)).toHaveCount(1);
    await text(page, 'Code').fill('eu');
    await expect(text(page, 'Code')).toHaveAccessibleDescription(
      /Currency code must be exactly 3 characters \(ISO 4217\)/,
    );
    await text(page, 'Code').fill('e1r');
    await expect(text(page, 'Code')).toHaveAccessibleDescription(
      /Currency code must be three letters \(ISO 4217\)/,
    );
    await text(page, 'Code').fill('eur');
    await expect(text(page, 'Name')).toHaveAccessibleDescription(required);
    await text(page, 'Name').fill('Euro');
    await expect(text(page, 'Symbol')).toHaveAccessibleDescription(required);
    await text(page, 'Symbol').fill('€');
    await order(page).fill('-1');
    await submit(page).click();
    await expect(order(page)).toHaveAccessibleDescription(
      /Display order must be a whole number of at least 0/,
    );
    expect(standIn.callsTo(currencyCreate)).toEqual([]);
  });

  test('sends once, says so with the code in capitals, and returns after two seconds', async ({
    page,
    standIn,
  }) => {
    await page.clock.install();
    await openCreate(page, standIn);
    await fillEuro(page);
    await places(page).selectOption('3');
    await order(page).fill('5');
    await toggle(page, 'Active').click();
    const slow = gate();
    standIn.on(currencyCreate, {
      status: 201,
      body: { currency: sampleCurrency() },
      until: slow.opened,
    });
    await stopClock(page);
    await submit(page).dblclick();
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
    await openCreate(page, standIn);
    await fillEuro(page);
    standIn.on(currencyCreate, { cut: true });
    await submit(page).click();
    await expect(page.getByRole('alert')).toHaveText('Failed to create currency');
    standIn.on(currencyCreate, {
      status: 409,
      body: { message: 'A currency with this code already exists' },
    });
    await text(page, 'Symbol').press('Enter');
    await expect(page.getByRole('alert')).toHaveText('A currency with this code already exists');
    await expect(text(page, 'Code')).toHaveValue('eur');
  });

  test('Cancel goes to the currencies, after asking when something was typed', async ({
    page,
    standIn,
  }) => {
    await openCreate(page, standIn);
    const cancel = page.getByRole('link', { name: 'Cancel' });
    await expect(cancel).toHaveAttribute('href', '/currencies');
    await text(page, 'Name').fill('Euro');
    await cancel.click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await expect(text(page, 'Name')).toHaveValue('Euro');
    await cancel.click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
    await expect(page).toHaveURL(/\/settings#currencies$/);
  });

  test('is accessible, with errors as well', async ({ page, standIn }) => {
    await openCreate(page, standIn);
    await submit(page).click();
    await expect(text(page, 'Code')).toBeFocused();
    await expectAccessibleInEveryLook(page);
  });
});

test.describe('Edit Currency', () => {
  const JPY = sampleCurrency({
    code: 'jpy',
    name: 'Yen',
    symbol: '¥',
    useDecimals: false,
    displayOrder: 20,
  });

  test('shows what is there; the code can only be read', async ({ page, standIn }) => {
    await openEdit(page, standIn, JPY);
    await expect(page.getByRole('heading', { level: 1, name: 'Edit Currency' })).toBeVisible();
    await expect(page).toHaveTitle('Edit Currency · Meridian');
    await expect(text(page, 'Code')).toHaveValue('jpy');
    await expect(text(page, 'Code')).toHaveAttribute('readonly');
    await expect(text(page, 'Symbol')).toHaveValue('¥');
    await expect(toggle(page, 'Use decimals')).not.toBeChecked();
    await expect(places(page)).toHaveCount(0);
    await expect(order(page)).toHaveValue('20');
    await expect(toggle(page, 'Active')).toBeChecked();
    await expect(page.getByRole('link', { name: 'Cancel' })).toHaveAttribute('href', '/currencies');
  });

  test('sends everything but the code, says so, and returns at once', async ({ page, standIn }) => {
    await openEdit(page, standIn, JPY);
    const slow = gate();
    standIn.on(currencyUpdate, { body: { currency: JPY }, until: slow.opened });
    await text(page, 'Name').fill('Japanese Yen');
    await submit(page).dblclick();
    await expect(page.getByText('Updating...')).toBeVisible();
    slow.open();
    await expect(page).toHaveURL(/\/settings$/);
    await expect(
      page.getByText('Currency updated successfully: JPY', { exact: true }),
    ).toBeVisible();
    expect(
      standIn.callsTo(currencyUpdate).map(({ method, url, body }) => [method, url, body]),
    ).toEqual([
      [
        'PATCH',
        `/api/admin/currencies/${JPY.id}`,
        {
          name: 'Japanese Yen',
          symbol: '¥',
          useDecimals: false,
          decimalPlaces: 2,
          displayOrder: 20,
          isActive: true,
        },
      ],
    ]);
  });

  test('asks for what is missing, word for word', async ({ page, standIn }) => {
    await openEdit(page, standIn, JPY);
    await text(page, 'Symbol').fill(' ');
    await submit(page).click();
    await expect(text(page, 'Symbol')).toHaveAccessibleDescription('Name and symbol are required');
    await text(page, 'Symbol').fill('¥');
    await text(page, 'Name').fill('');
    await expect(text(page, 'Name')).toHaveAccessibleDescription('Name and symbol are required');
    expect(standIn.callsTo(currencyUpdate)).toEqual([]);
  });

  test('a refusal is said at the foot', async ({ page, standIn }) => {
    await openEdit(page, standIn, JPY);
    standIn.on(currencyUpdate, { cut: true });
    await submit(page).click();
    await expect(page.getByRole('alert')).toHaveText('Failed to update currency');
    await expect(page).toHaveURL(/\/edit$/);
  });

  test('an answer in the background never touches what was typed', async ({ page, standIn }) => {
    await page.clock.install();
    await openEdit(page, standIn, JPY);
    await text(page, 'Name').fill('typed');
    standIn.on(currencyGet, { body: { currency: { ...JPY, name: 'changed elsewhere' } } });
    const before = standIn.callsTo(currencyGet).length;
    // Old enough to be asked for again when the window is looked at.
    await page.clock.fastForward(60_000);
    await page.evaluate(() =>
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
    );
    await expect.poll(() => standIn.callsTo(currencyGet).length).toBeGreaterThan(before);
    await expect(text(page, 'Name')).toHaveValue('typed');
  });

  test('an unknown currency has a way back', async ({ page, standIn }) => {
    settingsOf(standIn).on(currencyGet, { status: 404, body: { message: 'Not here' } });
    await visit(page, standIn, '/settings/currencies/nowhere/edit');
    await expect(page.getByText('Currency not found')).toBeVisible();
    await page.getByRole('link', { name: 'Back to Currencies' }).click();
    await expect(page).toHaveURL(/\/settings#currencies$/);
  });

  test('a failed load can be retried, and the form opens without moving anything', async ({
    page,
    standIn,
  }) => {
    settingsOf(standIn).on(currencyGet, { cut: true });
    await visit(page, standIn, `/settings/currencies/${JPY.id}/edit`);
    await expect(page.getByRole('alert')).toContainText('Failed to load currency');
    standIn.on(currencyGet, { body: { currency: JPY } });
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(text(page, 'Name')).toHaveValue('Yen');

    const answer = gate();
    standIn.on(currencyGet, { body: { currency: JPY }, until: answer.opened });
    await watchLayoutShift(page);
    await page.reload();
    await expect(page.getByText('Loading...')).toBeVisible();
    answer.open();
    await expect(text(page, 'Name')).toHaveValue('Yen');
    await expectNoLayoutShift(page);
    await expectAccessibleInEveryLook(page);
  });
});

test('on the real server a currency is added and edited', async ({ signedIn: page, meridian }) => {
  const { currencies } = await meridian.call(currencyList, { query: { includeInactive: true } });
  const taken = new Set(currencies.map(({ code }) => code));
  const free = ['chf', 'sek', 'nok', 'dkk', 'pln'].find((code) => !taken.has(code)) ?? 'czk';
  await page.goto(`${meridian.url}/settings/currencies/create`);
  await text(page, 'Code').fill('usd');
  await text(page, 'Name').fill('Test money');
  await text(page, 'Symbol').fill('T');
  await submit(page).click();
  await expect(page.getByRole('alert')).toHaveText('A currency with this code already exists');
  await text(page, 'Code').fill(free);
  await submit(page).click();
  const code = free.toUpperCase();
  await expect(page.getByText(`Currency created successfully: ${code}`)).toBeVisible();
  await expect(page).toHaveURL(/\/settings$/);

  const row = page.getByRole('row').filter({ hasText: code });
  await row.getByRole('link', { name: 'Edit' }).click();
  await toggle(page, 'Use decimals').click();
  await submit(page).click();
  await expect(page.getByText(`Currency updated successfully: ${code}`)).toBeVisible();
  await expect(row.getByRole('cell').nth(3)).toHaveText('0');
  await row.getByRole('button', { name: 'Deactivate' }).click();
  await expect(row.getByText('Inactive')).toBeVisible();
});
