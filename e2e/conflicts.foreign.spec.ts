import { currencyUpdate, planUpdate } from '@meridian/contract';
import { currencyText, openCurrencyEdit, submitCurrency } from './support/currency-form.ts';
import { field, openPlanEdit, submitPlan } from './support/plan-form.ts';
import { sampleCurrency, samplePlan } from './support/samples.ts';
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

test('a 412 of a server without versions is told in its own words, and nothing typed is lost', async ({
  page,
  standIn,
}) => {
  const message = 'Not before the invoices are closed';
  await openPlanEdit(page, standIn, samplePlan({ version: 0 }));
  standIn.on(planUpdate, { status: 412, body: { message } });
  await field(page, 'Name').fill('typed');
  await submitPlan(page).click();
  await expect(page.getByRole('alert')).toHaveText(message);
  await expect(page.getByRole('button', { name: 'Keep mine' })).toHaveCount(0);
  await expect(field(page, 'Name')).toHaveValue('typed');

  await openCurrencyEdit(page, standIn, sampleCurrency({ version: 0 }));
  standIn.on(currencyUpdate, { status: 412, body: { message } });
  await currencyText(page, 'Name').fill('typed');
  await submitCurrency(page).click();
  await expect(page.getByRole('alert')).toHaveText(message);
  await expect(currencyText(page, 'Name')).toHaveValue('typed');
});
