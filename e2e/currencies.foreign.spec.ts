import { currencyUpdate } from '@meridian/contract';
import { currencyText, openCurrencyEdit, submitCurrency } from './support/currency-form.ts';
import { sampleCurrency } from './support/samples.ts';
import { expect, test } from './support/test.ts';

test('a server without versions of currencies is asked without a condition', async ({
  page,
  standIn,
}) => {
  const currency = sampleCurrency({ version: 0 });
  await openCurrencyEdit(page, standIn, currency);
  standIn.on(currencyUpdate, { body: { currency } });
  await currencyText(page, 'Name').fill('Dollar');
  const request = page.waitForRequest((candidate) => candidate.method() === 'PATCH');
  await submitCurrency(page).click();
  expect((await request).headers()['if-match']).toBeUndefined();
});
