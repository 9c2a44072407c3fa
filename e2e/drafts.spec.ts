import {
  authLogin,
  authMe,
  currencyUpdate,
  planGet,
  planUpdate,
  ticketIssue,
} from '@meridian/contract';
import type { BrowserContext, Page } from '@playwright/test';
import { currencyText, openCurrencyEdit, submitCurrency } from './support/currency-form.ts';
import { field, openPlanEdit, submitPlan } from './support/plan-form.ts';
import { ME, sampleCurrency, samplePlan } from './support/samples.ts';
import type { StandIn } from './support/stand-in.ts';
import { expect, test } from './support/test.ts';
import { openTicketIssue, overrides, submitTicket } from './support/ticket-issue.ts';

const ENDED = { status: 401, body: { message: 'Session expired' } };
const note = (page: Page) => page.getByText('Your unsaved changes were restored');

async function logIn(page: Page, standIn: StandIn, username: string = ME.username) {
  const admin = { ...ME, username };
  standIn.on(authLogin, { body: { token: 'next-token', admin } }).on(authMe, { body: admin });
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill('a long secret');
  await page.getByRole('button', { name: 'Log in' }).click();
}

test('what was typed into a plan survives the end of the session, once', async ({
  page,
  standIn,
}) => {
  const plan = samplePlan();
  await openPlanEdit(page, standIn, plan);
  await expect(note(page)).toHaveCount(0);
  await field(page, 'Description').fill('A long text that takes long to type again');
  standIn.on(planUpdate, ENDED);
  await submitPlan(page).click();
  await expect(page.getByText('Your session has ended. Please log in again.')).toBeVisible();
  // Another administrator changes another field meanwhile.
  standIn.on(planGet, { body: { plan: { ...plan, displayOrder: 77, version: 2 } } });
  await logIn(page, standIn);

  await expect(page).toHaveURL(new RegExp(`/plans/${plan.id}/edit$`));
  await expect(field(page, 'Description')).toHaveValue('A long text that takes long to type again');
  await expect(field(page, 'Display order')).toHaveValue('77');
  await expect(note(page)).toBeVisible();
  await page.getByRole('link', { name: 'Cancel' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Plans' })).toBeVisible();
  await page.goBack();
  await expect(field(page, 'Description')).toHaveValue(plan.description['en'] ?? '');
  await expect(note(page)).toHaveCount(0);
  // Never where it outlives the page.
  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  expect(stored).not.toContain('takes long to type');
});

test('so does a half-written ticket', async ({ page, standIn }) => {
  await openTicketIssue(page, standIn);
  await field(page, 'Plan').selectOption({ index: 1 });
  await field(page, 'Memo').fill('For Harbour Lights');
  await overrides(page).check();
  await field(page, 'Monthly posts').fill('42');
  standIn.on(ticketIssue, ENDED);
  await submitTicket(page).click();
  await logIn(page, standIn);
  await expect(field(page, 'Memo')).toHaveValue('For Harbour Lights');
  await expect(field(page, 'Monthly posts')).toHaveValue('42');
  await expect(field(page, 'Plan').locator(':checked')).toHaveText('Studio · PREMIUM');
  await expect(note(page)).toBeVisible();
});

test('so does a currency, but for no other administrator', async ({ page, standIn }) => {
  const currency = sampleCurrency();
  await openCurrencyEdit(page, standIn, currency);
  await currencyText(page, 'Name').fill('Typed by ana');
  standIn.on(currencyUpdate, ENDED);
  await submitCurrency(page).click();
  await logIn(page, standIn, 'bea');
  await expect(currencyText(page, 'Name')).toHaveValue(currency.name);
  await expect(note(page)).toHaveCount(0);
});

test('what is given up when logging out does not come back', async ({ page, standIn }) => {
  await openTicketIssue(page, standIn);
  await field(page, 'Memo').fill('For Harbour Lights');
  await page.getByRole('button', { name: /@ana/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
  await logIn(page, standIn);
  await page.getByRole('link', { name: 'Tickets', exact: true }).click();
  // An empty list offers it a second time.
  await page.getByRole('link', { name: 'Issue New Ticket' }).first().click();
  await expect(field(page, 'Memo')).toHaveValue('');
  await expect(note(page)).toHaveCount(0);
});

/** A half-written ticket in this tab, and the logout in another. */
async function typeAndLogOutElsewhere(page: Page, context: BrowserContext, standIn: StandIn) {
  await openTicketIssue(page, standIn);
  await field(page, 'Memo').fill('For Harbour Lights');
  const other = await context.newPage();
  await other.goto(`${standIn.url}/password`);
  await other.getByRole('button', { name: /@ana/ }).click();
  await other.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByRole('status')).toHaveText(
    'You were logged out in another tab. Please log in again.',
  );
  return other;
}

test.describe('what was typed while another tab logs out', () => {
  test('is there again after the login in this tab', async ({ page, context, standIn }) => {
    await typeAndLogOutElsewhere(page, context, standIn);
    await logIn(page, standIn);
    await expect(field(page, 'Memo')).toHaveValue('For Harbour Lights');
    await expect(note(page)).toBeVisible();
  });

  test('is there again after the login in the other', async ({ page, context, standIn }) => {
    const other = await typeAndLogOutElsewhere(page, context, standIn);
    await logIn(other, standIn);
    await expect(field(page, 'Memo')).toHaveValue('For Harbour Lights');
    await expect(note(page)).toBeVisible();
  });

  test('is for no other administrator', async ({ page, context, standIn }) => {
    const other = await typeAndLogOutElsewhere(page, context, standIn);
    await logIn(other, standIn, 'bea');
    await expect(page.getByRole('button', { name: /@bea/ })).toBeVisible();
    await expect(page).toHaveURL(`${standIn.url}/tickets/issue`);
    await expect(field(page, 'Memo')).toHaveValue('');
    await expect(note(page)).toHaveCount(0);
  });
});
