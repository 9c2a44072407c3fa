import { currencyCreate, currencyGet, currencyUpdate } from '@meridian/contract';
import {
  currencyText,
  fillEuro,
  openCurrencyCreate,
  openCurrencyEdit,
  submitCurrency,
} from './support/currency-form.ts';
import { sampleCurrency } from './support/samples.ts';
import { expect, test } from './support/test.ts';

// Proves 8.9
test('a currency that is not created says so at the foot, and nothing typed is lost', async ({
  page,
  standIn,
}) => {
  await openCurrencyCreate(page, standIn);
  await fillEuro(page);
  standIn.on(currencyCreate, { cut: true });
  await submitCurrency(page).click();
  await expect(page.getByRole('alert')).toContainText('Failed to create currency');
  standIn.on(currencyCreate, { status: 409, body: { message: 'Not today' } });
  await currencyText(page, 'Symbol').press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Not today');
  await expect(currencyText(page, 'Code')).toHaveValue('eur');
});

// Proves 8.10, 8.11
test('a currency that is not updated says so, and one that does not load can be retried', async ({
  page,
  standIn,
}) => {
  const currency = sampleCurrency();
  await openCurrencyEdit(page, standIn, currency);
  standIn.on(currencyUpdate, { cut: true });
  await submitCurrency(page).click();
  await expect(page.getByRole('alert')).toContainText('Failed to update currency');
  await expect(page).toHaveURL(/\/edit$/);

  standIn.on(currencyGet, { cut: true });
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('Failed to load currency');
  standIn.on(currencyGet, { body: { currency } });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(currencyText(page, 'Name')).toHaveValue(currency.name);
});
