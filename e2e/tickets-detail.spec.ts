import {
  assignmentRevoke,
  planList,
  ticketGet,
  ticketIssue,
  ticketRevoke,
} from '@meridian/contract';
import type { Assignment, Ticket } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { gate } from './support/gate.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectAccessibleInEveryLook } from './support/looks.ts';
import { sampleAssignment, sampleTicket } from './support/samples.ts';
import type { StandIn } from './support/stand-in.ts';
import { stopClock, tickUntil } from './support/stopped-clock.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

async function openTicket(
  page: Page,
  standIn: StandIn,
  ticket: Ticket,
  assignments: Assignment[] = [],
) {
  standIn.on(ticketGet, { body: { ticket, assignments } });
  await visit(page, standIn, `/tickets/${ticket.id}`);
  await expect(page.getByRole('heading', { level: 1, name: ticket.code })).toBeVisible();
}

const information = (page: Page) => page.getByRole('region', { name: 'Information' });
const valueOf = (page: Page, label: string) =>
  information(page).getByText(label, { exact: true }).locator('xpath=following-sibling::dd');
const limits = (page: Page) => page.getByRole('region', { name: 'Plan Limits' });
const limitRow = (page: Page, name: string) =>
  limits(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) });
const revokeCard = (page: Page) => page.getByRole('region', { name: 'Revoke Ticket' });
const assignmentsOf = (page: Page) => page.getByRole('region', { name: 'Assignments' });
const assignmentRows = (page: Page) => assignmentsOf(page).locator('tbody').getByRole('row');

test.describe('a ticket', () => {
  test('shows all that is known of it', async ({ page, standIn }) => {
    const ticket = sampleTicket({
      redemptionCount: 2,
      redemptionDeadline: '2099-01-31T17:30:00.000Z',
      memo: 'For Harbour Lights.\nThey found the bug.',
    });
    await openTicket(page, standIn, ticket);
    await expect(page).toHaveTitle(`${ticket.code} · Meridian`);
    await expect(page.getByRole('main').getByText('Unused', { exact: true })).toBeVisible();
    for (const [label, value] of [
      ['Plan', 'StudioPREMIUM'],
      ['Issuer', 'Ana Okafor@ana'],
      ['Usage', '2 / 5'],
      ['Valid Period', '30 days from activation'],
      ['Issued At', '3 Nov 2026, 10:02'],
      ['Redemption Deadline', '31 Jan 2099, 18:30'],
      ['Last Updated', '4 Nov 2026, 11:15'],
      ['Memo', 'For Harbour Lights.\nThey found the bug.'],
    ] as const) {
      await expect(valueOf(page, label), label).toHaveText(value);
    }
    await expect(information(page).getByRole('link', { name: 'Studio' })).toHaveAttribute(
      'href',
      `/plans/${ticket.planId}/edit`,
    );
    expect(standIn.callsTo(ticketGet).map(({ url }) => url)).toEqual([
      `/api/admin/tickets/${ticket.id}`,
    ]);
  });

  test('says what it has not', async ({ page, standIn }) => {
    const { plan } = sampleTicket();
    await openTicket(
      page,
      standIn,
      sampleTicket({
        maxRedemptions: null,
        issuer: { displayName: null, handle: 'night-shift' },
        plan: { ...plan, name: 'plain-name', displayName: {} },
      }),
    );
    await expect(valueOf(page, 'Usage')).toHaveText('0 / ∞');
    await expect(valueOf(page, 'Redemption Deadline')).toHaveText('N/A');
    await expect(valueOf(page, 'Memo')).toHaveText('None');
    await expect(valueOf(page, 'Issuer')).toHaveText('night-shift@night-shift');
    await expect(valueOf(page, 'Plan')).toHaveText('plain-namePREMIUM');
    await expect(limits(page).getByText('No overrides')).toBeVisible();
    await expect(
      assignmentsOf(page).getByText('Nobody has redeemed this ticket yet.'),
    ).toBeVisible();
  });

  test('may come without its envelope', async ({ page, standIn }) => {
    const ticket = sampleTicket();
    standIn.on(ticketGet, { body: ticket });
    await visit(page, standIn, `/tickets/${ticket.id}`);
    await expect(page.getByRole('heading', { level: 1, name: ticket.code })).toBeVisible();
  });
});

test.describe('copying the code', () => {
  test('puts it on the clipboard and says so for three seconds', async ({
    page,
    standIn,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.clock.install();
    const ticket = sampleTicket();
    await openTicket(page, standIn, ticket);
    await stopClock(page);
    await page.getByRole('button', { name: 'Copy coupon code' }).click();
    const toast = page.getByText(`Copied ${ticket.code}`, { exact: true });
    await tickUntil(page, () => toast.isVisible());
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(ticket.code);
    // Away from the message, which waits for whoever points at it.
    await page.mouse.move(5, 5);
    await page.clock.runFor(2800);
    await expect(toast).toBeVisible();
    await page.clock.runFor(400);
    await expect(toast).toHaveCount(0);
  });

  test('that fails says so', async ({ page, standIn }) => {
    await page.addInitScript(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('Not allowed'));
      document.execCommand = () => false;
    });
    await openTicket(page, standIn, sampleTicket());
    await page.getByRole('button', { name: 'Copy coupon code' }).click();
    await expect(page.getByRole('alert')).toHaveText(
      'Could not copy. Select the code and copy it by hand.',
    );
  });
});

test.describe('the limits', () => {
  test('are compared in four groups, with the overrides counted', async ({ page, standIn }) => {
    await openTicket(
      page,
      standIn,
      sampleTicket({
        limitsOverride: { monthly_posts_limit: -1, thread_posts: false, max_post_length: null },
      }),
    );
    await expect(limits(page).getByRole('heading', { level: 3 })).toHaveText([
      'Posts & Scheduling',
      'Content',
      'Images',
      'Video',
    ]);
    await expect(limits(page).getByText('2 overrides', { exact: true })).toBeVisible();
    await expect(limits(page).getByText('Override', { exact: true })).toHaveCount(2);
    for (const [name, ofPlan, ofTicket] of [
      ['Monthly posts', '500', 'OverrideUnlimited'],
      ['Concurrent posts', '20', '20'],
      ['Schedule interval', '5 min', '5 min'],
      ['Thread posts', 'Yes', 'OverrideNo'],
      ['Max post length', '300', '300'],
      ['Max image size', '1 MB', '1 MB'],
      ['Video minutes per month', '60', '60'],
    ] as const) {
      await expect(limitRow(page, name).getByRole('cell')).toHaveText([ofPlan, ofTicket]);
    }
    for (const [group, name] of [
      ['Posts & Scheduling', 'Pending posts'],
      ['Content', 'Thread posts limit'],
      ['Images', 'Max images per post'],
      ['Video', 'Max video size'],
    ] as const) {
      await expect(
        page.getByRole('table', { name: group }).getByRole('rowheader', { name, exact: true }),
      ).toBeVisible();
    }
  });

  test('one override is told in the singular', async ({ page, standIn }) => {
    await openTicket(page, standIn, sampleTicket({ limitsOverride: { max_schedule_days: 365 } }));
    await expect(limits(page).getByText('1 override', { exact: true })).toBeVisible();
  });

  test('of video are read in both spellings; what is not available says so', async ({
    page,
    standIn,
  }) => {
    const ticket = sampleTicket();
    const plan = {
      ...ticket.plan,
      limits: {
        video_upload: true,
        video_processing_minutes_monthly: 90,
        max_video_size_mb: null,
        pets_allowed: 3,
      },
    };
    await openTicket(page, standIn, { ...ticket, plan });
    for (const [name, value] of [
      ['Video upload', 'Yes'],
      ['Video minutes per month', '90'],
      ['Max video size', 'N/A'],
      ['Monthly posts', 'N/A'],
      ['Pets allowed', '3'],
    ] as const) {
      await expect(limitRow(page, name).getByRole('cell')).toHaveText([value, value]);
    }
  });
});

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
      await expect(dialog.getByRole('alert')).toHaveText(message);
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
    expect(standIn.callsTo(assignmentRevoke)).toEqual([
      expect.objectContaining({
        method: 'POST',
        url: `/api/admin/users/${user.id}/plan-assignments/${assignment.id}/revoke`,
        body: null,
      }),
    ]);
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
    ['its own words', { cut: true }, 'Failed to revoke plan assignment'],
  ] as const) {
    test(`that cannot be revoked say ${what} in the dialog`, async ({ page, standIn }) => {
      await openTicket(page, standIn, sampleTicket({ status: 'ACTIVE' }), [sampleAssignment()]);
      standIn.on(assignmentRevoke, answer);
      await assignmentsOf(page).getByRole('button', { name: 'Revoke' }).click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await expect(dialog.getByRole('alert')).toHaveText(message);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(assignmentsOf(page).getByRole('button', { name: 'Revoke' })).toBeVisible();
    });
  }
});

test.describe('the states', () => {
  test('loading, without moving anything', async ({ page, standIn }) => {
    const answer = gate();
    await watchLayoutShift(page);
    const ticket = sampleTicket();
    standIn.on(ticketGet, {
      body: { ticket, assignments: [sampleAssignment()] },
      until: answer.opened,
    });
    await visit(page, standIn, `/tickets/${ticket.id}`);
    await expect(page.getByRole('status').getByText('Loading...')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Back to Tickets' })).toBeVisible();
    answer.open();
    await expect(assignmentRows(page)).toHaveCount(1);
    await expect(page.getByText('Loading...')).toHaveCount(0);
    await expectNoLayoutShift(page);
  });

  test('unknown: says so, with a way back', async ({ page, standIn }) => {
    standIn.on(ticketGet, { status: 404, body: { message: 'Nothing here' } });
    await visit(page, standIn, '/tickets/nothing');
    await expect(page.getByRole('heading', { level: 1, name: 'Ticket not found' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Back to Tickets' })).toHaveAttribute(
      'href',
      '/tickets',
    );
    await expect(page.getByRole('alert')).toHaveCount(0);
  });

  for (const [what, answer, message] of [
    ["the server's own words", { status: 500, body: { message: 'Resting' } }, 'Resting'],
    ['no answer at all', { cut: true }, 'Failed to load ticket'],
  ] as const) {
    test(`failed with ${what}, and tried again`, async ({ page, standIn }) => {
      standIn.on(ticketGet, answer);
      await visit(page, standIn, '/tickets/some-ticket');
      await expect(page.getByRole('alert').getByText(message, { exact: true })).toBeVisible();
      const ticket = sampleTicket();
      standIn.on(ticketGet, { body: { ticket, assignments: [] } });
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(page.getByRole('heading', { level: 1, name: ticket.code })).toBeVisible();
      await expect(page.getByRole('alert')).toHaveCount(0);
    });
  }
});

test('is accessible in every look', async ({ page, standIn }) => {
  test.slow();
  const ticket = sampleTicket({
    memo: 'long-words-'.repeat(40),
    limitsOverride: { monthly_posts_limit: -1, thread_posts: true },
  });
  const assignments = [
    sampleAssignment(),
    sampleAssignment({ status: 'PAUSED', expiresAt: null }),
    sampleAssignment({
      user: { ...sampleAssignment().user, displayName: 'صباح الخير '.repeat(12) },
    }),
  ];
  await openTicket(page, standIn, ticket, assignments);
  await expectAccessibleInEveryLook(page);
  await page.getByRole('button', { name: 'Revoke Ticket' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessibleInEveryLook(page);
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
