import { currencyGet, currencyList } from '@meridian/contract';
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
import { toggle } from './support/plan-form.ts';
import { expect, test } from './support/test.ts';

async function stored({ meridian }: App, code: string) {
  const { currencies } = await meridian.call(currencyList, { query: { includeInactive: true } });
  return currencies.filter((currency) => currency.code === code);
}

// Proves 1.6, 7.36, 7.37, 7.38
test('a currency is created, not under a code that is taken, and edited', async ({ page, app }) => {
  await app.open('/settings/currencies/create');
  await submitCurrency(page).click();
  await expect(currencyText(page, 'Code')).toBeFocused();
  await expectAccessibleInTwoLooks(page);

  await fillEuro(page);
  await currencyText(page, 'Code').fill('usd');
  await currencyText(page, 'Symbol').press('Enter');
  await expect(currencyText(page, 'Code')).toHaveAccessibleDescription(
    /A currency with this code already exists/,
  );
  await currencyText(page, 'Code').fill('eur');
  await decimalPlaces(page).selectOption('3');
  await displayOrder(page).fill('5');
  await toggle(page, 'Active').click();
  await submitCurrency(page).click();
  await expect(page.getByText('Currency created successfully: EUR', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/settings$/);
  const sent = {
    code: 'eur',
    name: 'Euro',
    symbol: '€',
    useDecimals: true,
    decimalPlaces: 3,
    displayOrder: 5,
    isActive: false,
  };
  const [euro] = await stored(app, 'eur');
  expect(euro).toMatchObject(sent);

  const held = await app.hold(currencyGet);
  await watchLayoutShift(page);
  await app.open(`/settings/currencies/${euro?.id}/edit`);
  await expect(page.getByText('Loading...')).toBeVisible();
  held.release();
  await expect(currencyText(page, 'Name')).toHaveValue('Euro');
  await expectNoLayoutShift(page);
  await expectAccessibleInTwoLooks(page);
  await currencyText(page, 'Name').fill('The euro');
  await submitCurrency(page).click();
  await expect(page.getByText('Currency updated successfully: EUR', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/settings$/);
  const edited = expect.objectContaining({ ...sent, id: euro?.id, name: 'The euro' });
  expect(await stored(app, 'eur')).toEqual([edited]);
});
