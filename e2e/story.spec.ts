import { startMeridian } from './support/meridian.ts';
import { field, planCard, submitPlan, toggle } from './support/plan-form.ts';
import { expect, rememberToken, test } from './support/test.ts';

// An empty service from its first currency to its last: every step on the real server.
// Proves 1.4, 6.2
test('a currency, a plan priced in it, its published file, a ticket for it, and the way back', async ({
  page,
}) => {
  test.slow();
  const { meridian, stop } = await startMeridian({ DEMO_DATA: 'off' });
  try {
    await rememberToken(page, await meridian.token());

    await page.goto(`${meridian.url}/settings/currencies/create`);
    await field(page, 'Code').fill('CHF');
    await field(page, 'Name').fill('Swiss franc');
    await field(page, 'Symbol').fill('Fr.');
    await page.getByRole('button', { name: /^(Add|Create) / }).click();
    await expect(page.getByText('Currency created successfully: CHF')).toBeVisible();
    await expect(page).toHaveURL(`${meridian.url}/settings`);

    await page.goto(`${meridian.url}/plans/create`);
    await field(page, 'Tier').selectOption('PREMIUM');
    await field(page, 'Name').fill('alpine');
    await field(page, 'Display name').fill('Alpine');
    await field(page, 'Description').fill('For high places');
    await toggle(page, 'Paid plan').click();
    await field(page, 'Monthly price (CHF)').fill('9.95');
    await submitPlan(page).click();
    await expect(page.getByText('Plan created successfully: alpine')).toBeVisible();
    await expect(page).toHaveURL(`${meridian.url}/plans`);
    await expect(planCard(page, 'Alpine')).toBeVisible();

    await page.getByRole('button', { name: /^Publish/ }).click();
    await expect(
      page.getByText('Successfully published 1 plans to object storage (1 individual files)'),
    ).toBeVisible();
    const published = await (await fetch(`${meridian.url}/cdn/plans/index.json`)).json();
    expect(published).toMatchObject({
      plans: [{ displayName: { en: 'Alpine' }, priceMonthly: { chf: 9.95 }, tier: 'PREMIUM' }],
    });
    expect(JSON.stringify(published)).not.toContain('"alpine"');

    await page.goto(`${meridian.url}/tickets/issue`);
    await field(page, 'Plan').selectOption({ index: 1 });
    await toggle(page, 'Override plan limits').click();
    await field(page, 'Monthly posts').fill('500');
    await page.getByRole('button', { name: 'Issue Ticket' }).click();
    await expect(page.getByText(/^Ticket issued successfully: [2-9A-Z-]{19}$/)).toBeVisible();
    await expect(page).toHaveURL(/\/tickets\/[0-9a-f-]{36}$/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      /^[2-9A-Z]{4}(-[2-9A-Z]{4}){3}/,
    );
    await expect(page.getByText('1 override', { exact: true })).toBeVisible();
    await expect(page.getByRole('row', { name: /^Monthly posts/ })).toContainText('500');

    await page.getByRole('button', { name: 'Revoke Ticket' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByRole('main').getByText('Revoked', { exact: true })).toBeVisible();

    await page.goto(`${meridian.url}/currencies`);
    await expect(page).toHaveURL(`${meridian.url}/settings#currencies`);
    const row = page.getByRole('row').filter({ hasText: 'Swiss franc' });
    await row.getByRole('button', { name: /^Deactivate/ }).click();
    // The plan on sale would be left without a price.
    const question = page.getByRole('alertdialog', { name: /^Deactivate/ });
    await question.getByRole('button', { name: 'Confirm' }).click();
    await expect(question).toContainText('priced only in this currency: alpine');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.goto(`${meridian.url}/plans`);
    await planCard(page, 'Alpine')
      .getByRole('button', { name: /^Deactivate/ })
      .click();
    await expect(planCard(page, 'Alpine').getByText('Inactive')).toBeVisible();
    await page.goto(`${meridian.url}/currencies`);
    await row.getByRole('button', { name: /^Deactivate/ }).click();
    await question.getByRole('button', { name: 'Confirm' }).click();
    await expect(row.getByText('Inactive')).toBeVisible();

    await page.goto(`${meridian.url}/plans/create`);
    await expect(page.getByText('There are no active currencies.')).toBeVisible();
  } finally {
    await stop();
  }
});
