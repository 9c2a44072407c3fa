import { currencyList, planCreate, planUpdate } from '@meridian/contract';
import {
  field,
  fillRequiredOfPlan,
  GBP,
  openPlanCreate,
  openPlanEdit,
  submitPlan,
  toggle,
  USD,
} from './support/plan-form.ts';
import { samplePlan } from './support/samples.ts';
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

test('currencies that fail to load are only logged: a free plan can still be made', async ({
  page,
  standIn,
}) => {
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  standIn.on(currencyList, { cut: true }).on(planCreate, { body: { plan: samplePlan() } });
  await visit(page, standIn, '/plans/create');
  await expect(field(page, 'Name')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByText('There are no active currencies.')).toHaveCount(0);
  // Whether it is active nobody knows now.
  await expect(field(page, 'Default currency').getByRole('option')).toHaveText(['USD']);
  expect(logged.join('\n')).toContain('Failed to load currencies. Please refresh the page.');

  await fillRequiredOfPlan(page);
  await toggle(page, 'Paid plan').click();
  standIn.on(currencyList, { body: { currencies: [USD] } });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(field(page, 'Monthly price (USD)')).toBeVisible();
  // The second try has not started the form anew.
  await expect(field(page, 'Name')).toHaveValue('creator');
  await toggle(page, 'Paid plan').click();
  await submitPlan(page).click();
  await expect(page.getByText('Plan created successfully: creator')).toBeVisible();
});

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
