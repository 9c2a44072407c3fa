import {
  assignmentRevoke,
  planList,
  ticketGet,
  ticketIssue,
  ticketRevoke,
} from '@meridian/contract';
import { gate } from './support/gate.ts';
import { sampleAssignment, sampleTicket } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { assignmentRows, assignmentsOf, openTicket, revokeCard } from './support/ticket-page.ts';
import { visit } from './support/visit.ts';

test.describe('revoking the ticket', () => {
  test('asks in the words of the specification, revokes once and shows it', async ({
    page,
    standIn,
  }) => {
    const ticket = sampleTicket();
    await openTicket(page, standIn, ticket);
    const opener = revokeCard(page).getByRole('button', { name: 'Revoke Ticket' });
    await opener.click();
    const dialog = page.getByRole('alertdialog', { name: 'Revoke Ticket' });
    await expect(
      dialog.getByText(`Are you sure you want to revoke ticket ${ticket.code}?`, { exact: true }),
    ).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await expect(dialog.getByRole('button', { name: 'Confirm' })).toHaveClass(/bg-danger-fill/);
    await page.keyboard.press('Escape');
    await expect(opener).toBeFocused();
    expect(standIn.callsTo(ticketRevoke)).toEqual([]);

    await opener.click();
    const answer = gate();
    const revoked = { ...ticket, status: 'REVOKED' };
    standIn
      .on(ticketRevoke, { body: { ticket: revoked }, until: answer.opened })
      .on(ticketGet, { body: { ticket: revoked, assignments: [] } });
    await dialog.getByRole('button', { name: 'Confirm' }).dblclick();
    await expect(dialog.getByText('Revoking...')).toBeVisible();
    answer.open();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('main').getByText('Revoked', { exact: true })).toBeVisible();
    await expect(opener).toHaveCount(0);
    await expect(page.getByText(`Ticket revoked: ${ticket.code}`, { exact: true })).toBeVisible();
    await expect(revokeCard(page)).toContainText(
      'Only an unused ticket can be revoked. This one is revoked.',
    );
    expect(standIn.callsTo(ticketRevoke)).toEqual([
      expect.objectContaining({
        method: 'POST',
        url: `/api/admin/tickets/${ticket.id}/revoke`,
        body: null,
      }),
    ]);
    // The focus is where the button was, not lost.
    await expect(revokeCard(page).locator(':focus')).toHaveCount(1);
  });

  for (const [what, answer, message] of [
    [
      'the reason',
      { status: 409, body: { message: 'Only an unused ticket can be revoked' } },
      'Only an unused ticket can be revoked',
    ],
    ['its own words', { cut: true }, 'Failed to revoke ticket'],
  ] as const) {
    test(`that fails says ${what} in the dialog`, async ({ page, standIn }) => {
      await openTicket(page, standIn, sampleTicket());
      standIn.on(ticketRevoke, answer);
      await revokeCard(page).getByRole('button').click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await expect(dialog.getByRole('alert')).toContainText(message);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(revokeCard(page).getByRole('button', { name: 'Revoke Ticket' })).toBeVisible();
    });
  }

  for (const [what, fields, badge, reason] of [
    ['ACTIVE', { status: 'ACTIVE' }, 'Active', 'This one is active.'],
    ['EXPIRED', { status: 'EXPIRED' }, 'Expired', 'This one is expired.'],
    ['REVOKED', { status: 'REVOKED' }, 'Revoked', 'This one is revoked.'],
    [
      'UNUSED, but past its deadline',
      { redemptionDeadline: '2020-01-01T00:00:00.000Z' },
      'Expired',
      'This one is expired.',
    ],
  ] as const) {
    test(`is not offered when ${what}, and the reason is shown`, async ({ page, standIn }) => {
      await openTicket(page, standIn, sampleTicket(fields));
      await expect(page.getByRole('main').getByText(badge, { exact: true })).toBeVisible();
      await expect(revokeCard(page)).toContainText(
        `Only an unused ticket can be revoked. ${reason}`,
      );
      await expect(page.getByRole('button', { name: /Revoke/ })).toHaveCount(0);
    });
  }
});

test.describe('the assignments', () => {
  test('show user, status and times; only ACTIVE ones can be revoked', async ({
    page,
    standIn,
  }) => {
    const { user } = sampleAssignment();
    const statuses = ['ACTIVE', 'EXPIRED', 'REVOKED', 'PAUSED'];
    await openTicket(
      page,
      standIn,
      sampleTicket({ status: 'ACTIVE' }),
      statuses.map((status, index) =>
        sampleAssignment({
          status,
          user: { ...user, displayName: index === 1 ? null : `Person ${index}` },
          expiresAt: index === 2 ? null : '2026-12-03T09:02:00.000Z',
        }),
      ),
    );
    await expect(assignmentsOf(page).getByRole('columnheader')).toHaveText([
      'User',
      'Status',
      'Activated At',
      'Expires At',
      'Created At',
      'Action',
    ]);
    const at = ['1 Oct 2026, 12:00', '3 Dec 2026, 10:02', '1 Oct 2026, 11:59'] as const;
    for (const [index, cells] of [
      [`Person 0@${user.handle}`, 'Active', ...at, 'Revoke'],
      [`${user.handle}@${user.handle}`, 'Expired', ...at, ''],
      [`Person 2@${user.handle}`, 'Revoked', at[0], 'Never', at[2], ''],
      [`Person 3@${user.handle}`, 'PAUSED', ...at, ''],
    ].entries()) {
      await expect(assignmentRows(page).nth(index).getByRole('cell')).toHaveText(cells);
    }
    await expect(page.getByRole('link', { name: 'Person 0' })).toHaveAttribute(
      'href',
      `/users/${user.id}`,
    );
    await expect(assignmentsOf(page).getByRole('button')).toHaveCount(1);
  });

  test('are revoked after asking, once, and read again', async ({ page, standIn }) => {
    const ticket = sampleTicket({ status: 'ACTIVE' });
    const assignment = sampleAssignment();
    const { user } = assignment;
    await openTicket(page, standIn, ticket, [assignment]);
    const opener = assignmentsOf(page).getByRole('button', { name: 'Revoke' });
    await expect(opener).toHaveAccessibleDescription(user.displayName ?? '');
    await opener.click();
    const dialog = page.getByRole('alertdialog', { name: 'Revoke Plan Assignment' });
    await expect(
      dialog.getByText(
        `Are you sure you want to revoke the plan assignment for ${user.displayName}?`,
        { exact: true },
      ),
    ).toBeVisible();
    await expect(dialog).toContainText(
      `${user.displayName} (@${user.handle}) loses the Studio plan immediately.`,
    );
    await expect(dialog.getByRole('button', { name: 'Confirm' })).toHaveClass(/bg-danger-fill/);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(opener).toBeFocused();
    expect(standIn.callsTo(assignmentRevoke)).toEqual([]);

    await opener.click();
    const answer = gate();
    const revoked = { ...assignment, status: 'REVOKED' };
    standIn
      .on(assignmentRevoke, { body: { assignment: revoked }, until: answer.opened })
      .on(ticketGet, { body: { ticket, assignments: [revoked] } });
    await dialog.getByRole('button', { name: 'Confirm' }).dblclick();
    answer.open();
    await expect(assignmentRows(page).getByText('Revoked', { exact: true })).toBeVisible();
    await expect(opener).toHaveCount(0);
    await expect(page.getByRole('link', { name: user.displayName ?? '' })).toBeFocused();
    await expect(
      page.getByText(`Plan assignment revoked: ${user.displayName}`, { exact: true }),
    ).toBeVisible();
    expect(standIn.callsTo(assignmentRevoke)).toEqual([
      expect.objectContaining({
        method: 'POST',
        url: `/api/admin/users/${user.id}/plan-assignments/${assignment.id}/revoke`,
        body: null,
      }),
    ]);
  });

  test('show the limits in force where a ticket changed them', async ({ page, standIn }) => {
    const limitsOverride = { monthly_posts_limit: -1, max_post_length: 200 };
    await openTicket(page, standIn, sampleTicket({ status: 'ACTIVE', limitsOverride }), [
      sampleAssignment({ limitsOverride }),
      sampleAssignment(),
    ]);
    await expect(assignmentRows(page).nth(1).getByText('As in the plan')).toBeVisible();
    const row = assignmentRows(page).first();
    await row.getByText('2 overrides').click();
    await expect(row.getByRole('term')).toHaveText(['Monthly posts', 'Max post length']);
    await expect(row.getByRole('definition')).toHaveText(['Unlimited Plan: 500', '200 Plan: 300']);
  });

  test('without a user are neither a link nor revoked', async ({ page, standIn }) => {
    const { user: _, ...assignment } = sampleAssignment();
    const ticket = sampleTicket({ status: 'ACTIVE' });
    standIn.on(ticketGet, { body: { ticket, assignments: [assignment] } });
    await visit(page, standIn, `/tickets/${ticket.id}`);
    await expect(assignmentRows(page).getByText('Active', { exact: true })).toBeVisible();
    await expect(assignmentRows(page).getByRole('cell').first()).toHaveText('–');
    await expect(assignmentsOf(page).getByRole('link')).toHaveCount(0);
    await expect(assignmentsOf(page).getByRole('button')).toHaveCount(0);
  });

  test('of someone without a display name are named by the handle', async ({ page, standIn }) => {
    const assignment = sampleAssignment();
    const user = { ...assignment.user, displayName: null };
    await openTicket(page, standIn, sampleTicket({ status: 'ACTIVE' }), [{ ...assignment, user }]);
    await assignmentsOf(page).getByRole('button', { name: 'Revoke' }).click();
    await expect(page.getByRole('alertdialog')).toContainText(
      `Are you sure you want to revoke the plan assignment for ${user.handle}?`,
    );
  });

  for (const [what, answer, message] of [
    [
      'the reason',
      { status: 404, body: { message: 'Assignment not found' } },
      'Assignment not found',
    ],
    ['what is missing', { status: 404, body: {} }, 'Assignment not found'],
    ['its own words', { cut: true }, 'Failed to revoke plan assignment'],
  ] as const) {
    test(`that cannot be revoked say ${what} in the dialog`, async ({ page, standIn }) => {
      await openTicket(page, standIn, sampleTicket({ status: 'ACTIVE' }), [sampleAssignment()]);
      standIn.on(assignmentRevoke, answer);
      await assignmentsOf(page).getByRole('button', { name: 'Revoke' }).click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await expect(dialog.getByRole('alert')).toContainText(message);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(assignmentsOf(page).getByRole('button', { name: 'Revoke' })).toBeVisible();
    });
  }
});

test('the real server revokes a ticket', async ({ signedIn: page, meridian }) => {
  const { plans } = await meridian.call(planList);
  const plan = plans.find(({ isActive, tier }) => isActive && tier !== 'FREE');
  if (plan === undefined) throw new Error('The demo data lacks an active plan that is not free');
  const issued = await meridian.call(ticketIssue, { body: { planId: plan.id, validDays: 30 } });
  await page.getByRole('link', { name: 'Tickets', exact: true }).click();
  await page.getByRole('link', { name: issued.ticket.code }).click();
  await revokeCard(page).getByRole('button', { name: 'Revoke Ticket' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
  await expect(revokeCard(page)).toContainText('This one is revoked.');
  const { ticket } = await meridian.call(ticketGet, { params: { id: issued.ticket.id } });
  expect(ticket.status).toBe('REVOKED');
});
