import {
  assignmentList,
  assignmentRevoke,
  authLogin,
  authMe,
  planList,
  ticketIssue,
  ticketList,
  ticketRevoke,
} from '@meridian/contract';
import { gate } from './support/gate.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { field } from './support/plan-form.ts';
import {
  ME,
  ME_AT_MERIDIAN,
  sampleAssignment,
  samplePlan,
  sampleTicket,
} from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { submitTicket } from './support/ticket-issue.ts';
import { assignmentsOf, openTicket, revokeCard } from './support/ticket-page.ts';
import { statusFilter, ticketCodes } from './support/tickets-list.ts';
import { visit } from './support/visit.ts';

const COUNTS = { ALL: 123_456, UNUSED: 98_765, ACTIVE: 12_345, EXPIRED: 12_346, REVOKED: 10 };
const PAGE = {
  tickets: Array.from({ length: 20 }, () => sampleTicket()),
  total: COUNTS.ALL,
  counts: COUNTS,
  cursors: { next: 'next', previous: null },
};

test('while the whole list loads, nothing moves at any width', async ({ page, standIn }) => {
  await watchLayoutShift(page);
  for (const width of [1440, 1280, 900, 768, 360]) {
    await page.setViewportSize({ width, height: 800 });
    const response = gate();
    standIn.on(ticketList, { body: { tickets: PAGE.tickets }, until: response.opened });
    await visit(page, standIn, '/tickets');
    await expect(page.getByRole('status').getByText('Loading tickets...')).toBeVisible();
    response.open();
    await expect(ticketCodes(page).first()).toBeVisible();
    await expectNoLayoutShift(page);
  }
});

test('right after a login nothing is asked for before the server has said what it has', async ({
  page,
  standIn,
}) => {
  const urls = () => standIn.callsTo(ticketList).map(({ url }) => url);
  standIn.on(ticketList, { body: PAGE });
  await visit(page, standIn, '/tickets', ME_AT_MERIDIAN);
  await expect(ticketCodes(page)).toHaveCount(20);
  standIn.on(ticketList, { status: 401, body: { message: 'Session expired' } });
  await statusFilter(page, 'Revoked').click();
  await expect(page).toHaveURL(`${standIn.url}/login`);

  standIn.on(ticketList, { body: PAGE });
  const known = gate();
  standIn.on(authMe, { body: ME_AT_MERIDIAN, until: known.opened });
  standIn.on(authLogin, { body: { token: 'next-token', admin: ME } });
  standIn.calls.length = 0;
  await page.getByRole('textbox', { name: 'Username' }).fill('ana');
  await page.getByRole('textbox', { name: 'Password' }).fill('a long secret');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('button', { name: 'Logging in...' })).toBeVisible();
  await expect.poll(() => standIn.callsTo(authMe)).toHaveLength(1);
  expect(urls()).toEqual([]);
  known.open();
  await expect(ticketCodes(page)).toHaveCount(20);
  expect(urls()).toEqual(['/api/admin/tickets?limit=20&status=REVOKED']);
});

// Proves 8.29
test('a ticket or an assignment that cannot be revoked says so in the dialog', async ({
  page,
  standIn,
}) => {
  const dialog = page.getByRole('alertdialog');
  const confirm = () => dialog.getByRole('button', { name: 'Confirm' }).click();
  await openTicket(page, standIn, sampleTicket());
  standIn.on(ticketRevoke, { cut: true });
  const revoke = revokeCard(page).getByRole('button', { name: 'Revoke Ticket' });
  await revoke.click();
  await confirm();
  await expect(dialog.getByRole('alert')).toContainText('Failed to revoke ticket');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(revoke).toBeVisible();

  const assignment = sampleAssignment();
  await openTicket(page, standIn, sampleTicket({ status: 'ACTIVE' }), [assignment]);
  standIn.on(assignmentList, { body: { assignments: [assignment] } });
  const opener = assignmentsOf(page).getByRole('button', { name: 'Revoke' });
  await opener.click();
  for (const [response, message] of [
    [{ status: 404, body: {} }, 'Assignment not found'],
    [{ status: 404, body: { message: 'Gone by now' } }, 'Gone by now'],
    [{ cut: true }, 'Failed to revoke plan assignment'],
  ] as const) {
    standIn.on(assignmentRevoke, response);
    await confirm();
    await expect(dialog.getByRole('alert')).toContainText(message);
  }
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(opener).toBeVisible();
});

// Proves 8.27
test('plans that do not load can be retried, and a ticket that is not issued says so; nothing typed is lost', async ({
  page,
  standIn,
}) => {
  standIn.on(planList, { cut: true });
  await visit(page, standIn, '/tickets/issue');
  await field(page, 'Memo').fill('For Harbour Lights');
  await expect(page.getByRole('alert')).toContainText('Failed to load plans');
  await expect(field(page, 'Plan').locator(':checked')).toHaveText('The plans could not be loaded');
  standIn.on(planList, { body: { plans: [samplePlan()] } });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(field(page, 'Plan').getByRole('option')).toHaveText(['Studio · PREMIUM']);
  await expect(page.getByRole('alert')).toHaveCount(0);

  await field(page, 'Plan').selectOption({ index: 1 });
  standIn.on(ticketIssue, { cut: true });
  await submitTicket(page).click();
  await expect(page.getByRole('alert')).toContainText('Failed to issue ticket');
  await expect(field(page, 'Memo')).toHaveValue('For Harbour Lights');
});
