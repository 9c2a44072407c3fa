import { currencyList } from '@meridian/contract';
import type { Page } from '@playwright/test';
import type { App } from './support/app.ts';
import { currencyText, submitCurrency } from './support/currency-form.ts';
import { endSessionAtCall } from './support/end-session.ts';
import { logIn, logOut } from './support/login-page.ts';
import { withoutEvents } from './support/open-requests.ts';
import { field, submitPlan } from './support/plan-form.ts';
import { expect, test } from './support/test.ts';
import { openTicketForm, overrides, submitTicket } from './support/ticket-issue.ts';

const restored = (page: Page) => page.getByText('Your unsaved changes were restored');

/** Without the events that would tell the page of the end of its session. */
async function signIn(page: Page, app: App) {
  await withoutEvents(page);
  return app.signInAs('ana', 'Ana Okafor');
}

async function loggedOut(page: Page) {
  await expect(page.getByText('Your session has ended. Please log in again.')).toBeVisible();
}

test('what was typed into a plan survives the end of the session, once', async ({
  page,
  visitor: app,
  catalogue,
}) => {
  const plan = await catalogue.plan();
  const token = await signIn(page, app);
  await app.open(`/plans/${plan.id}/edit`);
  await expect(field(page, 'Description')).not.toHaveValue('');
  await expect(restored(page)).toHaveCount(0);
  await field(page, 'Description').fill('A long text that takes long to type again');
  await endSessionAtCall(page, { url: app.url, token });
  await submitPlan(page).click();
  await loggedOut(page);
  // Another administrator changes another field meanwhile.
  await catalogue.changePlan(plan, { displayOrder: 77 });
  await logIn(page, 'ana');

  await expect(page).toHaveURL(`${app.url}/plans/${plan.id}/edit`);
  await expect(field(page, 'Description')).toHaveValue('A long text that takes long to type again');
  await expect(field(page, 'Display order')).toHaveValue('77');
  await expect(restored(page)).toBeVisible();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Plans' })).toBeVisible();
  await page.goBack();
  await expect(field(page, 'Description')).toHaveValue(plan.description['en'] ?? '');
  await expect(restored(page)).toHaveCount(0);
  // Never where it outlives the page.
  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  expect(stored).not.toContain('takes long to type');
});

test('so does a half-written ticket; what is given up when logging out does not come back', async ({
  page,
  visitor: app,
  catalogue,
}) => {
  await catalogue.plan();
  const token = await signIn(page, app);
  await openTicketForm(page, app);
  await field(page, 'Plan').selectOption({ index: 1 });
  await field(page, 'Memo').fill('For Harbour Lights');
  await overrides(page).check();
  await field(page, 'Monthly posts').fill('42');
  await endSessionAtCall(page, { url: app.url, token });
  await submitTicket(page).click();
  await loggedOut(page);
  await logIn(page, 'ana');
  await expect(field(page, 'Memo')).toHaveValue('For Harbour Lights');
  await expect(field(page, 'Monthly posts')).toHaveValue('42');
  await expect(field(page, 'Plan').locator(':checked')).toHaveText('Studio · PREMIUM');
  await expect(restored(page)).toBeVisible();

  await logOut(page, 'ana');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
  await logIn(page, 'ana');
  await page.getByRole('link', { name: 'Tickets', exact: true }).click();
  // An empty list offers it a second time.
  await page.getByRole('link', { name: 'Issue New Ticket' }).first().click();
  await expect(field(page, 'Memo')).toHaveValue('');
  await expect(restored(page)).toHaveCount(0);
});

test('so does a currency, but for no other administrator', async ({ page, visitor: app }) => {
  await app.rows.administrator('bea', 'Bea Lindqvist');
  const token = await signIn(page, app);
  const { currencies } = await app.meridian.call(currencyList);
  await app.open(`/settings/currencies/${currencies[0]?.id}/edit`);
  await expect(currencyText(page, 'Name')).toHaveValue('US Dollar');
  await currencyText(page, 'Name').fill('Typed by ana');
  await endSessionAtCall(page, { url: app.url, token });
  await submitCurrency(page).click();
  await loggedOut(page);
  await logIn(page, 'bea');
  await expect(currencyText(page, 'Name')).toHaveValue('US Dollar');
  await expect(restored(page)).toHaveCount(0);
});

for (const [what, tab, username, memo] of [
  ['is there again after the login in this tab', 'this', 'ana', 'For Harbour Lights'],
  ['is there again after the login in the other', 'other', 'ana', 'For Harbour Lights'],
  ['is for no other administrator', 'other', 'bea', ''],
] as const) {
  test(`what was typed while another tab logs out ${what}`, async ({
    page,
    context,
    visitor: app,
    catalogue,
  }) => {
    await catalogue.plan();
    await app.rows.administrator('bea', 'Bea Lindqvist');
    await app.signInAs('ana', 'Ana Okafor');
    await openTicketForm(page, app);
    await field(page, 'Memo').fill('For Harbour Lights');
    const other = await context.newPage();
    await other.goto(`${app.url}/password`);
    await logOut(other, 'ana');
    await expect(page.getByRole('status')).toHaveText(
      'You were logged out in another tab. Please log in again.',
    );
    await logIn(tab === 'this' ? page : other, username);
    await expect(page.getByRole('button', { name: new RegExp(`@${username}$`) })).toBeVisible();
    await expect(page).toHaveURL(`${app.url}/tickets/issue`);
    await expect(field(page, 'Memo')).toHaveValue(memo);
    await expect(restored(page)).toHaveCount(memo === '' ? 0 : 1);
  });
}
