import { currencyList, planCreate, planGet, planList, planUpdate } from '@meridian/contract';
import type { Route } from '@playwright/test';
import { gate } from './support/gate.ts';
import {
  field,
  fillRequiredOfPlan,
  GBP,
  JPY,
  openPlanCreate,
  openPlanEdit,
  submitPlan,
  toggle,
  USD,
} from './support/plan-form.ts';
import { sampleCurrency, samplePlan } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

test('a paid plan has one pair of prices per active currency', async ({ page, standIn }) => {
  await openPlanCreate(page, standIn);
  const prices = page.getByRole('spinbutton', { name: /price/ });
  await expect(prices).toHaveCount(0);
  await toggle(page, 'Paid plan').click();
  await expect(prices).toHaveCount(4);
  for (const period of ['Monthly', 'Yearly']) {
    for (const [code, step] of [
      ['USD', '0.01'],
      ['JPY', '1'],
    ] as const) {
      const price = field(page, `${period} price (${code})`);
      await expect(price).toHaveAttribute('min', '0');
      await expect(price).toHaveAttribute('step', step);
    }
  }
  await field(page, 'Monthly price (USD)').press('ArrowUp');
  await expect(field(page, 'Monthly price (USD)')).toHaveValue('0.00');
  await fillRequiredOfPlan(page);
  await field(page, 'Monthly price (USD)').fill('');
  await submitPlan(page).click();
  await expect(field(page, 'Monthly price (USD)')).toHaveAccessibleDescription(
    'A paid plan needs a monthly price in at least one active currency',
  );
  await expect(field(page, 'Monthly price (USD)')).toBeFocused();
  await toggle(page, 'Paid plan').click();
  await expect(prices).toHaveCount(0);
});

test('without an active currency a notice leads to the settings', async ({ page, standIn }) => {
  await openPlanCreate(page, standIn, [GBP]);
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
  await expect(page.getByRole('alert')).toHaveText(
    'A paid plan needs a monthly price in at least one active currency',
  );
});

test('prices and currencies stand in display order, however the server sends them', async ({
  page,
  standIn,
}) => {
  const euro = { code: 'eur', name: 'Euro', symbol: '€' };
  const sent = [JPY, sampleCurrency({ ...euro, displayOrder: JPY.displayOrder }), GBP, USD];
  await openPlanCreate(page, standIn, sent);
  await toggle(page, 'Paid plan').click();
  const monthly = page.getByRole('spinbutton', { name: /^Monthly price/ });
  await expect(monthly).toHaveCount(3);
  expect(
    await monthly.evaluateAll((inputs) => inputs.map((input) => input.getAttribute('name'))),
  ).toEqual(['usd', 'eur', 'jpy'].map((code) => `priceMonthly.${code}`));
  await expect(field(page, 'Default currency').getByRole('option')).toHaveText([
    'USD · US Dollar',
    'EUR · Euro',
    'JPY · Japanese Yen',
  ]);
});

test('a currency that does not tell its decimals has two', async ({ page, standIn }) => {
  const bare = { id: 'chf', code: 'chf', name: 'Swiss Franc', symbol: 'Fr.', isActive: true };
  standIn.on(currencyList, { body: { currencies: [bare] } });
  await visit(page, standIn, '/plans/create');
  await toggle(page, 'Paid plan').click();
  await expect(field(page, 'Monthly price (CHF)')).toHaveAttribute('step', '0.01');
});

for (const [what, fail, own] of [
  ['without an answer', (route: Route) => route.abort('connectionreset'), ''],
  [
    "with the server's words",
    (route: Route) => route.fulfill({ status: 503, json: { message: 'Back in a minute' } }),
    'Back in a minute',
  ],
] as const) {
  test(`currencies that fail to load ${what} are told at once, before the second try`, async ({
    page,
    standIn,
  }) => {
    const [again, words] = [gate(), 'Failed to load currencies. Please refresh the page.'];
    let tries = 0;
    await page.route(
      `**${currencyList.path}?*`,
      async (route) => {
        tries += 1;
        if (tries > 1) await again.opened;
        await fail(route);
      },
      { times: 2 },
    );
    standIn.on(currencyList, { body: { currencies: [USD] } });
    standIn.on(planGet, { body: { plan: samplePlan() } });
    standIn.on(planUpdate, { body: { plan: samplePlan() } }).on(planList, { body: { plans: [] } });
    await visit(page, standIn, '/plans/p/edit');
    // Not in the field: a plan can be edited without them.
    const pricing = page.getByRole('region', { name: 'Pricing' });
    await expect(pricing.getByText(words)).toBeVisible();
    await expect(pricing.getByRole('alert')).toContainText(own || words);
    await expect(pricing.getByText(/inactive|no active/)).toHaveCount(0);
    await expect(pricing.getByText('USD 14.9 / month, 149 / year')).toBeVisible();
    await expect(field(page, 'Default currency').getByRole('option')).toHaveText(['USD']);
    await field(page, 'Name').fill('renamed');

    await expect.poll(() => tries).toBe(2);
    again.open();
    await pricing.getByRole('button', { name: 'Retry' }).click();
    await expect(field(page, 'Monthly price (USD)')).toHaveValue('14.9');
    await expect(pricing.getByRole('alert')).toHaveCount(0);
    // The second try has not started the form anew.
    await expect(field(page, 'Name')).toHaveValue('renamed');
    await submitPlan(page).click();
    await expect(page.getByText('Plan updated successfully: renamed')).toBeVisible();
  });
}

const UNREADABLE = 'Write a price in digits, with a point before the decimals: 1000 or 4.90';

for (const [name, value, message] of [
  ['Monthly price (USD)', '1,000', UNREADABLE],
  ['Yearly price (USD)', '1,000.50', UNREADABLE],
  ['Monthly price (JPY)', '1,500', UNREADABLE],
  ['Monthly price (USD)', '1.000', 'A price in USD can have at most 2 decimal places'],
  ['Yearly price (JPY)', '1.5', 'A price in JPY cannot have decimal places'],
] as const) {
  test(`${name} refuses ${JSON.stringify(value)} before anything is sent`, async ({
    page,
    standIn,
  }) => {
    await openPlanCreate(page, standIn);
    await fillRequiredOfPlan(page);
    await toggle(page, 'Paid plan').click();
    await field(page, 'Monthly price (USD)').fill('1');
    await field(page, name).fill(value);
    await submitPlan(page).click();
    await expect(field(page, name)).toHaveAccessibleDescription(message);
    await expect(field(page, name)).toBeFocused();
    expect(standIn.callsTo(planCreate)).toEqual([]);
  });
}

test('a comma that can only part decimals does', async ({ page, standIn }) => {
  await openPlanCreate(page, standIn);
  standIn.on(planCreate, { body: { plan: samplePlan() } });
  await fillRequiredOfPlan(page);
  await toggle(page, 'Paid plan').click();
  await field(page, 'Monthly price (USD)').fill('4,90');
  await submitPlan(page).click();
  await expect(page.getByText('Plan created successfully: creator')).toBeVisible();
  expect(standIn.callsTo(planCreate)[0]?.body).toMatchObject({ priceMonthly: { usd: 4.9 } });
});

test('a plan whose only currency is no longer active asks for another price', async ({
  page,
  standIn,
}) => {
  await openPlanEdit(page, standIn, samplePlan({ priceMonthly: { gbp: 4.2 }, priceYearly: null }));
  await field(page, 'Name').fill('renamed');
  await submitPlan(page).click();
  await expect(field(page, 'Monthly price (USD)')).toHaveAccessibleDescription(
    'A paid plan needs a monthly price in at least one active currency',
  );
  await expect(field(page, 'Monthly price (USD)')).toBeFocused();
  expect(standIn.callsTo(planUpdate)).toEqual([]);
});
