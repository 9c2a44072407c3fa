import { assignmentRevoke, ticketGet, ticketRevoke } from '@meridian/contract';
import { expect, test } from './support/test.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { assignmentRows, assignmentsOf, revokeCard } from './support/ticket-page.ts';

// Proves 1.5, 2.158, 5.27, 7.27
test('revoking a ticket asks in the words of the specification, revokes once and shows it', async ({
  page,
  app,
  catalogue,
}) => {
  const ticket = await catalogue.ticket();
  await app.open(`/tickets/${ticket.id}`);
  const opener = revokeCard(page).getByRole('button', { name: 'Revoke Ticket' });
  await opener.click();
  const dialog = page.getByRole('alertdialog', { name: 'Revoke Ticket' });
  await expect(
    dialog.getByText(`Are you sure you want to revoke ticket ${ticket.code}?`, { exact: true }),
  ).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Confirm' })).toHaveClass(/bg-danger-fill/);
  await expectAccessibleInTwoLooks(page);
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
  expect(app.callsTo(ticketRevoke)).toEqual([]);

  await opener.click();
  const held = await app.hold(ticketRevoke);
  await dialog.getByRole('button', { name: 'Confirm' }).dblclick();
  await expect(dialog.getByText('Revoking...')).toBeVisible();
  held.release();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('main').getByText('Revoked', { exact: true })).toBeVisible();
  await expect(opener).toHaveCount(0);
  await expect(page.getByText(`Ticket revoked: ${ticket.code}`, { exact: true })).toBeVisible();
  await expect(revokeCard(page)).toContainText(
    'Only an unused ticket can be revoked. This one is revoked.',
  );
  expect(app.callsTo(ticketRevoke)).toEqual([
    expect.objectContaining({
      method: 'POST',
      url: `/api/admin/tickets/${ticket.id}/revoke`,
      body: null,
    }),
  ]);
  const stored = await app.meridian.call(ticketGet, { params: { id: ticket.id } });
  expect(stored.ticket.status).toBe('REVOKED');
  // The focus is where the button was, not lost.
  await expect(revokeCard(page).locator(':focus')).toHaveCount(1);
});

test('a ticket that was revoked meanwhile says so in the dialog', async ({
  page,
  app,
  catalogue,
}) => {
  const ticket = await catalogue.ticket();
  await app.open(`/tickets/${ticket.id}`);
  await revokeCard(page).getByRole('button').click();
  await app.meridian.call(ticketRevoke, { params: { id: ticket.id } });
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Only an unused ticket can be revoked');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(revokeCard(page)).toContainText('This one is revoked.');
});

test('revoking is offered for an unused ticket only, and the reason is shown', async ({
  page,
  app,
  catalogue,
}) => {
  for (const [fields, badge, reason] of [
    [{ status: 'ACTIVE' }, 'Active', 'This one is active.'],
    [{ status: 'EXPIRED' }, 'Expired', 'This one is expired.'],
    [{ redemptionDeadline: '2026-11-04T00:00:00.000Z' }, 'Expired', 'This one is expired.'],
  ] as const) {
    await app.open(`/tickets/${(await catalogue.ticket(fields)).id}`);
    await expect(page.getByRole('main').getByText(badge, { exact: true })).toBeVisible();
    await expect(revokeCard(page)).toContainText(`Only an unused ticket can be revoked. ${reason}`);
    await expect(page.getByRole('button', { name: /Revoke/ })).toHaveCount(0);
  }
});

// Proves 2.133, 2.134, 2.135
test('the assignments show user, status and times; only ACTIVE ones can be revoked', async ({
  page,
  app,
  catalogue,
}) => {
  const ticket = await catalogue.ticket({ status: 'ACTIVE', redemptionCount: 3 });
  const times = { expiresAt: '2099-12-03T09:02:00.000Z', activatedAt: '2026-10-01T10:00:00.000Z' };
  const first = await catalogue.redemption(ticket, {
    ...times,
    displayName: 'Person 1',
    createdAt: '2026-10-01T09:59:00.000Z',
  });
  const second = await catalogue.redemption(ticket, {
    ...times,
    displayName: null,
    expiresAt: '2026-10-31T10:00:00.000Z',
    createdAt: '2026-10-01T09:58:00.000Z',
  });
  const third = await catalogue.redemption(ticket, {
    ...times,
    displayName: 'Person 3',
    status: 'REVOKED',
    expiresAt: null,
    createdAt: '2026-10-01T09:57:00.000Z',
  });
  await app.open(`/tickets/${ticket.id}`);
  await expect(assignmentsOf(page).getByRole('columnheader')).toHaveText([
    'User',
    'Status',
    'Activated At',
    'Expires At',
    'Created At',
    'Action',
  ]);
  const activatedAt = '1 Oct 2026, 12:00';
  const [{ handle: one }, { handle: two }, { handle: three }] = [
    first.user,
    second.user,
    third.user,
  ];
  for (const [index, cells] of [
    [`Person 1@${one}`, 'Active', activatedAt, '3 Dec 2099, 10:02', '1 Oct 2026, 11:59', 'Revoke'],
    [`${two}@${two}`, 'Expired', activatedAt, '31 Oct 2026, 11:00', '1 Oct 2026, 11:58', ''],
    [`Person 3@${three}`, 'Revoked', activatedAt, 'Never', '1 Oct 2026, 11:57', ''],
  ].entries()) {
    await expect(assignmentRows(page).nth(index).getByRole('cell')).toHaveText(cells);
  }
  await expect(page.getByRole('link', { name: 'Person 1' })).toHaveAttribute(
    'href',
    `/users/${first.user.id}`,
  );
  await expect(assignmentsOf(page).getByRole('button')).toHaveCount(1);
});

// Proves 5.28
test('an assignment is revoked after asking, once, and read again', async ({
  page,
  app,
  catalogue,
}) => {
  const limitsOverride = { monthly_posts_limit: -1, max_post_length: 200 };
  const ticket = await catalogue.ticket({ status: 'ACTIVE', limitsOverride });
  const { id, user } = await catalogue.redemption(ticket);
  await app.open(`/tickets/${ticket.id}`);
  // The limits in force, where the ticket changed them.
  const row = assignmentRows(page).first();
  await row.getByText('2 overrides').click();
  await expect(row.getByRole('term')).toHaveText(['Monthly posts', 'Max post length']);
  await expect(row.getByRole('definition')).toHaveText(['Unlimited Plan: 500', '200 Plan: 300']);

  const opener = assignmentsOf(page).getByRole('button', { name: 'Revoke' });
  await expect(opener).toHaveAccessibleDescription('Harbour Lights');
  await opener.click();
  const dialog = page.getByRole('alertdialog', { name: 'Revoke Plan Assignment' });
  await expect(
    dialog.getByText('Are you sure you want to revoke the plan assignment for Harbour Lights?', {
      exact: true,
    }),
  ).toBeVisible();
  await expect(dialog).toContainText(
    `Harbour Lights (@${user.handle}) loses the Studio plan immediately.`,
  );
  await expect(dialog.getByRole('button', { name: 'Confirm' })).toHaveClass(/bg-danger-fill/);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(opener).toBeFocused();
  expect(app.callsTo(assignmentRevoke)).toEqual([]);

  await opener.click();
  const held = await app.hold(assignmentRevoke);
  await dialog.getByRole('button', { name: 'Confirm' }).dblclick();
  await expect(dialog.getByRole('button', { name: 'Confirm' })).toHaveCount(0);
  held.release();
  await expect(assignmentRows(page).getByText('Revoked', { exact: true })).toBeVisible();
  await expect(opener).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Harbour Lights' })).toBeFocused();
  await expect(
    page.getByText('Plan assignment revoked: Harbour Lights', { exact: true }),
  ).toBeVisible();
  expect(app.callsTo(assignmentRevoke)).toEqual([
    expect.objectContaining({
      method: 'POST',
      url: `/api/admin/users/${user.id}/plan-assignments/${id}/revoke`,
      body: null,
    }),
  ]);
  const stored = await app.meridian.call(ticketGet, { params: { id: ticket.id } });
  expect(stored.assignments.map(({ status }) => status)).toEqual(['REVOKED']);
});

test('an assignment of a user without a name is named by the handle; a refusal is told in the dialog', async ({
  page,
  app,
  catalogue,
}) => {
  const ticket = await catalogue.ticket({ status: 'ACTIVE' });
  const { id, user } = await catalogue.redemption(ticket, { displayName: null });
  await app.open(`/tickets/${ticket.id}`);
  await assignmentsOf(page).getByRole('button', { name: 'Revoke' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText(
    `Are you sure you want to revoke the plan assignment for ${user.handle}?`,
  );
  await app.meridian.call(assignmentRevoke, { params: { id: user.id, assignmentId: id } });
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Only an active assignment can be revoked');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});
