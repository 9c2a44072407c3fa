import { authLogin, ticketIssue, TOKEN_STORAGE_KEY, userRestrict } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { FORM_RESPONSES, SAMPLE_IDS } from './support/form-responses.ts';
import { gate } from './support/gate.ts';
import { logIn, loginHeading } from './support/login-page.ts';
import { field } from './support/plan-form.ts';
import { expect, test } from './support/test.ts';
import { submitTicket } from './support/ticket-issue.ts';
import { visit } from './support/visit.ts';
import { answerEverything } from './support/whole-stand-in.ts';

const LOGGED_OUT = 'You were logged out in another tab. Please log in again.';

const takeToken = (page: Page) =>
  page.evaluate((key) => localStorage.removeItem(key), TOKEN_STORAGE_KEY);

test('what was saved after another tab logged out is not offered as unsaved', async ({
  page,
  context,
  standIn,
}) => {
  answerEverything(standIn);
  await visit(page, standIn, '/tickets/issue');
  await expect(field(page, 'Plan')).toBeEnabled();
  await field(page, 'Plan').selectOption({ index: 1 });
  await field(page, 'Memo').fill('For Harbour Lights');
  const [held, arrived] = [gate(), gate()];
  standIn.on(ticketIssue, () => {
    arrived.open();
    return { body: FORM_RESPONSES.get(ticketIssue.name), until: held.opened };
  });
  await submitTicket(page).click();
  await arrived.opened;

  const other = await context.newPage();
  await other.goto(`${standIn.url}/login`);
  await takeToken(other);
  await expect(page.getByRole('status')).toHaveText(LOGGED_OUT);
  const responded = page.waitForResponse((response) => response.url().endsWith(ticketIssue.path));
  held.open();
  await (await responded).finished();

  standIn.on(authLogin, { body: FORM_RESPONSES.get(authLogin.name) });
  await logIn(page, 'ana');
  await expect(page.getByText(/^Ticket issued successfully/)).toBeVisible();
  await expect(page).toHaveURL(`${standIn.url}/tickets/issue`);
  await expect(field(page, 'Memo')).toHaveValue('');
  await expect(page.getByText('Your unsaved changes were restored')).toHaveCount(0);
  expect(standIn.callsTo(ticketIssue)).toHaveLength(1);
});

test('without a stored token nothing is sent, and the login says why', async ({
  page,
  standIn,
}) => {
  answerEverything(standIn);
  await visit(page, standIn, `/users/${SAMPLE_IDS.userId}`);
  const toggle = page.getByRole('button', { name: 'Prohibit Upgrades' });
  await expect(toggle).toBeEnabled();
  // A tab hears nothing of what it removes itself, as the tools of a browser do.
  await takeToken(page);
  await toggle.click();
  await expect(loginHeading(page)).toBeVisible();
  await expect(page.getByRole('status')).toHaveText(LOGGED_OUT);
  expect(standIn.callsTo(userRestrict)).toEqual([]);
  expect(standIn.calls.filter(({ token }) => token === null)).toEqual([]);
});
