import { currencyDeactivate, planCreate, planList, planUpdate } from '@meridian/contract';
import { expect, test } from './support/test.ts';
import {
  field,
  fillRequiredOfPlan,
  openPlanForm,
  submitPlan,
  toggle,
} from './support/plan-form.ts';

const NEEDS_PRICE = 'A paid plan needs a monthly price in at least one active currency';
const UNREADABLE = 'Write a price in digits, with a point before the decimals: 1000 or 4.90';

// Proves 2.105, 2.108, 3.21
test('a paid plan has one pair of prices per active currency', async ({ page, app, catalogue }) => {
  await catalogue.currency({ code: 'eur', name: 'Euro', displayOrder: 20 });
  await openPlanForm(page, app);
  const prices = page.getByRole('spinbutton', { name: /price/ });
  await expect(prices).toHaveCount(0);
  await toggle(page, 'Paid plan').click();
  await expect(prices).toHaveCount(6);
  for (const period of ['Monthly', 'Yearly']) {
    for (const [code, step] of [
      ['USD', '0.01'],
      ['EUR', '0.01'],
      ['JPY', '1'],
    ] as const) {
      const price = field(page, `${period} price (${code})`);
      await expect(price).toHaveAttribute('min', '0');
      await expect(price).toHaveAttribute('step', step);
    }
  }
  // In display order, and by code where that is the same.
  await expect(field(page, 'Default currency').getByRole('option')).toHaveText([
    'USD · US Dollar',
    'EUR · Euro',
    'JPY · Japanese Yen',
  ]);
  await field(page, 'Monthly price (USD)').press('ArrowUp');
  await expect(field(page, 'Monthly price (USD)')).toHaveValue('0.00');
  await fillRequiredOfPlan(page);
  await field(page, 'Monthly price (USD)').fill('');
  await submitPlan(page).click();
  await expect(field(page, 'Monthly price (USD)')).toHaveAccessibleDescription(NEEDS_PRICE);
  await expect(field(page, 'Monthly price (USD)')).toBeFocused();

  await field(page, 'Monthly price (USD)').fill('1');
  for (const [name, value, message, accepted] of [
    ['Monthly price (USD)', '1,000', UNREADABLE, '1'],
    ['Yearly price (USD)', '1,000.50', UNREADABLE, ''],
    ['Monthly price (JPY)', '1,500', UNREADABLE, ''],
    ['Monthly price (USD)', '1.000', 'A price in USD can have at most 2 decimal places', '1'],
    ['Yearly price (JPY)', '1.5', 'A price in JPY cannot have decimal places', ''],
  ] as const) {
    await field(page, name).fill(value);
    await submitPlan(page).click();
    await expect(field(page, name)).toHaveAccessibleDescription(message);
    await expect(field(page, name)).toBeFocused();
    await field(page, name).fill(accepted);
  }
  expect(app.callsTo(planCreate)).toEqual([]);

  // A comma that can only separate decimals does.
  await field(page, 'Monthly price (USD)').fill('4,90');
  await submitPlan(page).click();
  await expect(page.getByText('Plan created successfully: creator')).toBeVisible();
  expect(app.callsTo(planCreate)[0]?.body).toMatchObject({ priceMonthly: { usd: 4.9 } });
  const { plans } = await app.meridian.call(planList);
  expect(plans.map(({ priceMonthly }) => priceMonthly)).toEqual([{ usd: 4.9 }]);
});

// Proves 2.153, 2.154
test('without an active currency a notice leads to the settings', async ({
  page,
  app,
  catalogue,
}) => {
  await catalogue.clear();
  await catalogue.currency({ code: 'gbp', isActive: false });
  await openPlanForm(page, app);
  const notice = page.getByText('There are no active currencies.');
  await expect(notice).toHaveText(
    'There are no active currencies. Please add currencies in settings.',
  );
  await expect(notice.getByRole('link')).toHaveAttribute('href', '/settings#currencies');
  const colour = await notice.evaluate((element) => getComputedStyle(element).color);
  const [red = 0, green = 0, blue = 0] = colour.match(/\d+/g)?.map(Number) ?? [];
  // Yellow, dark enough to read: red and green together, next to no blue.
  expect(Math.min(red, green)).toBeGreaterThan(2 * blue);
  await fillRequiredOfPlan(page);
  await toggle(page, 'Paid plan').click();
  await submitPlan(page).click();
  await expect(page.getByRole('alert')).toHaveText(NEEDS_PRICE);
});

test('a price keeps its field when its currency is deactivated while it is typed', async ({
  page,
  app,
  catalogue,
}) => {
  const { id } = await catalogue.currency({ code: 'chf', name: 'Swiss Franc' });
  const plan = await catalogue.plan({ priceMonthly: { usd: 5, chf: 4 }, priceYearly: null });
  await app.open(`/plans/${plan.id}/edit`);
  const price = field(page, 'Monthly price (CHF)');
  await price.fill('4,2x');
  await app.meridian.call(currencyDeactivate, { params: { id } });
  await expect(page.getByRole('group', { name: 'CHF' })).toContainText('Inactive');
  await expect(price).toBeFocused();
  await expect(price).toHaveValue('4,2x');
  await submitPlan(page).click();
  await expect(price).toHaveAccessibleDescription(/^A price must be a number/);
  await expect(price).toBeFocused();
  await price.fill('4.2');
  await submitPlan(page).click();
  await expect(page.getByText(/^Plan updated successfully/)).toBeVisible();
  expect(app.callsTo(planUpdate)[0]?.body).toMatchObject({ priceMonthly: { usd: 5, chf: 4.2 } });
});

test('a plan whose only currency is no longer active asks for another price', async ({
  page,
  app,
  catalogue,
}) => {
  const { id } = await catalogue.currency({ code: 'chf' });
  const prices = { priceMonthly: { chf: 4.2 }, priceYearly: null };
  const plan = await catalogue.plan({ ...prices, isActive: false });
  await app.meridian.call(currencyDeactivate, { params: { id } });
  await app.open(`/plans/${plan.id}/edit`);
  await field(page, 'Name').fill('renamed');
  await submitPlan(page).click();
  await expect(field(page, 'Monthly price (USD)')).toHaveAccessibleDescription(NEEDS_PRICE);
  await expect(field(page, 'Monthly price (USD)')).toBeFocused();
  expect(app.callsTo(planUpdate)).toEqual([]);
});
