import {
  currencyList,
  currencyUpdate,
  planUpdate,
  settingsGet,
  settingsUpdate,
  userGet,
  userList,
} from '@meridian/contract';
import type { Page } from '@playwright/test';
import { currencyText, openCurrencyEdit, submitCurrency } from './support/currency-form.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { field, openPlanEdit, planCard, submitPlan, toggle } from './support/plan-form.ts';
import { sampleCurrency, samplePlan, sampleUser } from './support/samples.ts';
import { currencies, currencyRow, OFF, openSettings, service } from './support/settings-page.ts';
import { expect, test } from './support/test.ts';
import { openTicketIssue } from './support/ticket-issue.ts';
import { visit } from './support/visit.ts';

/*
 * Another vendor's server may leave a flag or a count out. The console then shows a dash: it
 * neither claims No or 0, nor sends that on with the next change.
 */

test.describe('service settings without their flags', () => {
  test('show a dash, and can be set either way', async ({ page, standIn }) => {
    await openSettings(page, standIn);
    const { is_service_suspended: _, updated_at: __, ...rest } = OFF;
    standIn.on(settingsGet, { body: rest }).on(settingsUpdate, { body: rest });
    await page.reload();
    const suspension = service(page).getByRole('group', { name: 'Service suspension' });
    await expect(suspension).toContainText('–');
    await expect(suspension).toContainText('The service did not say whether this is on.');
    await expect(service(page).getByRole('switch')).toHaveCount(1);
    await expect(service(page).getByText('Last updated')).toBeVisible();
    await expect(service(page).getByText('Never')).toHaveCount(0);
    await expectAccessibleInTwoLooks(page);
    for (const name of ['Turn On', 'Turn Off']) {
      await suspension.getByRole('button', { name }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
      await expect(page.getByRole('alertdialog')).toHaveCount(0);
    }
    expect(standIn.callsTo(settingsUpdate).map(({ body }) => body)).toEqual([
      { is_service_suspended: true },
      { is_service_suspended: false },
    ]);
  });
});

test.describe('a currency without its status and order', () => {
  const { isActive: _, displayOrder: __, ...UNKNOWN } = sampleCurrency({ code: 'chf' });

  test('has dashes in the table, and both actions', async ({ page, standIn }) => {
    await openSettings(page, standIn);
    standIn.on(currencyList, {
      body: { currencies: [UNKNOWN, sampleCurrency({ displayOrder: 5000 })] },
    });
    await page.reload();
    const row = currencyRow(page, 'CHF');
    await expect(row.getByRole('cell')).toContainText(['CHF', 'US Dollar', '$', '2', '–', '–']);
    for (const name of ['Deactivate', 'Activate']) {
      await expect(row.getByRole('button', { name, exact: true })).toBeVisible();
    }
    // Without an order it stands last.
    await expect(currencies(page).getByRole('row').last()).toContainText('CHF');
    for (const tab of ['Active', 'Inactive']) {
      await currencies(page).getByRole('button', { name: tab, exact: true }).click();
      await expect(row).toHaveCount(0);
    }
  });

  test('keeps them as they are when only its name is edited', async ({ page, standIn }) => {
    await openCurrencyEdit(page, standIn, UNKNOWN);
    standIn.on(currencyUpdate, { body: { currency: UNKNOWN } });
    await expect(page.getByRole('switch', { name: 'Active' })).toHaveAccessibleDescription(
      'The service did not say whether this currency is active. Leave this off to keep it as it is.',
    );
    await currencyText(page, 'Name').fill('Swiss Franc');
    await submitCurrency(page).click();
    await expect(page).toHaveURL(/\/settings$/);
    expect(standIn.callsTo(currencyUpdate).map(({ body }) => body)).toEqual([
      { name: 'Swiss Franc', symbol: '$', useDecimals: true, decimalPlaces: 2 },
    ]);
  });
});

test.describe('a plan without flags, prices and limits', () => {
  const {
    isActive: _,
    isVisible: __,
    priceMonthly: ___,
    priceYearly: ____,
    ...rest
  } = samplePlan();
  const PLAN = { ...rest, limits: { storage_mb: 100 } };

  test('says what is saved, and adds no limit it never had', async ({ page, standIn }) => {
    await openPlanEdit(page, standIn, PLAN);
    standIn.on(planUpdate, { body: { plan: PLAN } });
    for (const [name, what] of [
      ['Active', 'whether this plan is active'],
      ['Visible', 'whether this plan is visible'],
      ['Paid plan', 'what this plan costs'],
    ] as const) {
      await expect(toggle(page, name)).not.toBeChecked();
      await expect(toggle(page, name)).toHaveAccessibleDescription(
        `The service did not say ${what}. It will be saved as set here.`,
      );
    }
    await field(page, 'Name').fill('studio-2');
    await submitPlan(page).click();
    await expect(page).toHaveURL(/\/plans$/);
    const body = standIn.callsTo(planUpdate)[0]?.body;
    expect(body).toMatchObject({ isActive: false, isVisible: false });
    expect(body).toHaveProperty('limits', { storage_mb: 100 });
    await expect(planCard(page, 'Studio')).toContainText('– / month');
    await expect(planCard(page, 'Studio').getByText('Free')).toHaveCount(0);
  });
});

test('a plan for a ticket is not called hidden for want of a flag', async ({ page, standIn }) => {
  const { isVisible: _, isActive: __, ...plan } = samplePlan();
  await openTicketIssue(page, standIn, [
    { ...plan, isActive: true },
    { ...plan, id: 'no-flags' },
    samplePlan({ isVisible: false }),
  ]);
  await expect(field(page, 'Plan').getByRole('option')).toHaveText([
    'Studio · PREMIUM · Status –',
    'Studio · PREMIUM',
    'Studio · PREMIUM · Hidden',
  ]);
});

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test.describe('a user without a name', () => {
  const bare = { display_name: null, handle: '' };

  test('goes by the DID, or else the start of the id', async ({ page, standIn }) => {
    const user = sampleUser(bare);
    standIn.on(userGet, { body: { user } });
    await visit(page, standIn, `/users/${user.id}`);
    await expect(heading(page)).toHaveText(user.did);
    await expect(page).toHaveTitle(`${user.did} · Meridian`);
    await expect(page.getByText('@', { exact: true })).toHaveCount(0);
    const nameless = { ...user, id: 'user-0123456789', did: '', status: '' };
    standIn.on(userGet, { body: { user: nameless } });
    await visit(page, standIn, `/users/${nameless.id}`);
    await expect(heading(page)).toHaveText(/^user-01/);
    await page.getByRole('button', { name: 'Blocked' }).click();
    await expect(page.getByRole('alertdialog')).toContainText(/user-01\S* changes to Blocked\./);
  });

  test('has dashes in the list', async ({ page, standIn }) => {
    const user = sampleUser({ ...bare, did: '', status: '' });
    standIn.on(userList, { body: { users: [user], total: 1 } });
    await visit(page, standIn, '/users');
    const cells = page.getByRole('row').last().getByRole('cell');
    await expect(cells.nth(0)).toContainText('–');
    await expect(cells.nth(1)).toHaveText('–');
    await expect(cells.nth(2)).toHaveText('–');
  });
});
