import { currencyGet, currencyUpdate } from '@meridian/contract';
import {
  currencyText,
  decimalPlaces,
  displayOrder,
  emptySettings,
  openCurrencyEdit,
  submitCurrency,
} from './support/currency-form.ts';
import { gate } from './support/gate.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { toggle } from './support/plan-form.ts';
import { sampleCurrency } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

const JPY = sampleCurrency({
  code: 'jpy',
  name: 'Yen',
  symbol: '¥',
  useDecimals: false,
  displayOrder: 20,
});

test('shows what is there; the code can only be read', async ({ page, standIn }) => {
  await openCurrencyEdit(page, standIn, JPY);
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
});

test('sends everything but the code, says so, and returns at once', async ({ page, standIn }) => {
  await openCurrencyEdit(page, standIn, JPY);
  const slow = gate();
  standIn.on(currencyUpdate, { body: { currency: JPY }, until: slow.opened });
  await currencyText(page, 'Name').fill('Japanese Yen');
  await submitCurrency(page).dblclick();
  await expect(page.getByText('Updating...')).toBeVisible();
  slow.open();
  await expect(page).toHaveURL(/\/settings$/);
  await expect(page.getByText('Currency updated successfully: JPY', { exact: true })).toBeVisible();
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
  await openCurrencyEdit(page, standIn, JPY);
  await currencyText(page, 'Symbol').fill(' ');
  await submitCurrency(page).click();
  await expect(currencyText(page, 'Symbol')).toHaveAccessibleDescription(
    'Name and symbol are required',
  );
  await currencyText(page, 'Symbol').fill('¥');
  await currencyText(page, 'Name').fill('');
  await expect(currencyText(page, 'Name')).toHaveAccessibleDescription(
    'Name and symbol are required',
  );
  expect(standIn.callsTo(currencyUpdate)).toEqual([]);
});

test('a refusal is said at the foot', async ({ page, standIn }) => {
  await openCurrencyEdit(page, standIn, JPY);
  standIn.on(currencyUpdate, { cut: true });
  await submitCurrency(page).click();
  await expect(page.getByRole('alert')).toContainText('Failed to update currency');
  await expect(page).toHaveURL(/\/edit$/);
});

test('an answer in the background never touches what was typed', async ({ page, standIn }) => {
  await page.clock.install();
  await openCurrencyEdit(page, standIn, JPY);
  await currencyText(page, 'Name').fill('typed');
  standIn.on(currencyGet, { body: { currency: { ...JPY, name: 'changed elsewhere' } } });
  const before = standIn.callsTo(currencyGet).length;
  // Old enough to be asked for again when the window is looked at.
  await page.clock.fastForward(60_000);
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  );
  await expect.poll(() => standIn.callsTo(currencyGet).length).toBeGreaterThan(before);
  await expect(currencyText(page, 'Name')).toHaveValue('typed');
});

test('an unknown currency has a way back', async ({ page, standIn }) => {
  emptySettings(standIn).on(currencyGet, { status: 404, body: { message: 'Not here' } });
  await visit(page, standIn, '/settings/currencies/nowhere/edit');
  await expect(page.getByText('Currency not found')).toBeVisible();
  await page.getByRole('link', { name: 'Back to Currencies' }).click();
  await expect(page).toHaveURL(/\/settings#currencies$/);
});

test('a failed load can be retried, and the form opens without moving anything', async ({
  page,
  standIn,
}) => {
  emptySettings(standIn).on(currencyGet, { cut: true });
  await visit(page, standIn, `/settings/currencies/${JPY.id}/edit`);
  await expect(page.getByRole('alert')).toContainText('Failed to load currency');
  standIn.on(currencyGet, { body: { currency: JPY } });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(currencyText(page, 'Name')).toHaveValue('Yen');

  const answer = gate();
  standIn.on(currencyGet, { body: { currency: JPY }, until: answer.opened });
  await watchLayoutShift(page);
  await page.reload();
  await expect(page.getByText('Loading...')).toBeVisible();
  answer.open();
  await expect(currencyText(page, 'Name')).toHaveValue('Yen');
  await expectNoLayoutShift(page);
  await expectAccessibleInTwoLooks(page);
});
