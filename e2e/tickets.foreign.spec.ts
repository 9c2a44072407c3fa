import { ticketGet, ticketList } from '@meridian/contract';
import type { Ticket } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { ME_AT_MERIDIAN, sampleAssignment, sampleTicket } from './support/samples.ts';
import type { StandIn } from './support/stand-in.ts';
import { expect, test } from './support/test.ts';
import { assignmentRows, assignmentsOf, limitRow, openTicket } from './support/ticket-page.ts';
import { statusFilter, statusFilters, ticketCells, ticketCodes } from './support/tickets-list.ts';
import { visit } from './support/visit.ts';

const NOW = new Date('2026-11-14T12:00:00.000Z');
const PAST = '2026-11-14T11:00:00.000Z';

/** As another service sends them: all at once. */
async function openTickets(page: Page, standIn: StandIn, tickets: Ticket[], search = '') {
  standIn.on(ticketList, { body: { tickets } });
  await visit(page, standIn, `/tickets${search}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Plan Tickets' })).toBeVisible();
}

// Proves 2.121
test('a row falls back on what is known, and copes with less or more', async ({
  page,
  standIn,
}) => {
  const { plan } = sampleTicket();
  await openTickets(page, standIn, [
    sampleTicket({
      plan: { ...plan, name: 'plain-name', displayName: { ja: 'スタジオ' }, tier: 'GOLD' },
      issuer: { displayName: null, handle: 'night-shift' },
      status: 'ON_HOLD',
      redemptionCount: 12,
      maxRedemptions: null,
      validDays: 1,
    }),
  ]);
  await expect(ticketCells(page)).toHaveText([
    'K7QM-2XTD-9HRA-W4NB',
    'plain-nameGOLD',
    'night-shift@night-shift',
    'ON_HOLD',
    '12 / ∞',
    '1 days',
    '3 Nov 2026, 10:02',
    'N/A',
  ]);
  const bare = { id: 'x', code: 'BARE', status: 'UNUSED', planId: 'plan-x', colour: 'red' };
  standIn.on(ticketList, { body: { tickets: [bare] } });
  await page.reload();
  await expect(ticketCells(page).first()).toHaveText('BARE');
  await expect(ticketCells(page).last()).toHaveText('N/A');
});

test('without pages the console itself counts and filters, by the status a ticket has by now', async ({
  page,
  standIn,
}) => {
  await page.clock.install({ time: NOW });
  const soon = new Date(NOW.getTime() + 60_000).toISOString();
  await openTickets(
    page,
    standIn,
    [
      sampleTicket({ code: 'UNUSED-1' }),
      sampleTicket({ code: 'SOON', redemptionDeadline: soon }),
      sampleTicket({ code: 'RAN-OUT', redemptionDeadline: PAST }),
      sampleTicket({ code: 'ACTIVE-1', status: 'ACTIVE' }),
      sampleTicket({ code: 'EXPIRED-1', status: 'EXPIRED' }),
      sampleTicket({ code: 'REVOKED-1', status: 'REVOKED' }),
      sampleTicket({ code: 'REVOKED-AND-OUT', status: 'REVOKED', redemptionDeadline: PAST }),
    ],
    '?status=UNUSED',
  );
  const counts = statusFilters(page).getByRole('button');
  await expect(counts).toHaveText(['All 7', 'Unused 2', 'Active 1', 'Expired 3', 'Revoked 1']);
  await expect(ticketCodes(page)).toHaveText(['UNUSED-1', 'SOON']);
  await page.clock.runFor(75_000);
  await expect(ticketCodes(page)).toHaveText(['UNUSED-1']);
  await expect(counts).toHaveText(['All 7', 'Unused 1', 'Active 1', 'Expired 4', 'Revoked 1']);
  await statusFilter(page, 'Expired').click();
  await expect(ticketCodes(page)).toHaveText(['SOON', 'RAN-OUT', 'EXPIRED-1', 'REVOKED-AND-OUT']);
  expect(standIn.callsTo(ticketList).map(({ url }) => url)).toEqual(['/api/admin/tickets']);
});

test('without a search the filters are reached by its key, and the way back keeps them', async ({
  page,
  standIn,
}) => {
  const tickets = [sampleTicket({ code: 'UNUSED-1' }), sampleTicket({ status: 'ACTIVE' })];
  standIn.on(ticketGet, { body: { ticket: tickets[1], assignments: [] } });
  await openTickets(page, standIn, tickets);
  await expect(ticketCodes(page)).toHaveCount(2);
  await page.keyboard.press('/');
  await expect(statusFilter(page, 'All')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(ticketCodes(page)).toHaveCount(1);
  await expect(statusFilter(page, 'Active')).toBeFocused();
  for (let stop = 0; stop < 3; stop += 1) await page.keyboard.press('Tab');
  await expect(ticketCodes(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/tickets\/ticket-/);
  await page.getByRole('link', { name: 'Back to Tickets' }).click();
  await expect(page).toHaveURL(`${standIn.url}/tickets?status=ACTIVE`);
});

test('a server whose clock is late is asked again once, not for ever', async ({
  page,
  standIn,
}) => {
  await page.clock.install({ time: NOW });
  const tickets = [sampleTicket({ redemptionDeadline: PAST })];
  const counts = { ALL: 1, UNUSED: 1, ACTIVE: 0, EXPIRED: 0, REVOKED: 0 };
  const cursors = { next: null, previous: null };
  standIn.on(ticketList, { body: { tickets, total: 1, counts, cursors } });
  await visit(page, standIn, '/tickets', ME_AT_MERIDIAN);
  await expect(page.getByRole('cell').nth(3)).toHaveText('Expired');
  await expect.poll(() => standIn.callsTo(ticketList)).toHaveLength(2);
  await page.clock.runFor(9_000);
  expect(standIn.callsTo(ticketList)).toHaveLength(2);
});

// Proves 3.16
test('a ticket without its envelope, with limits in the other spelling, is shown', async ({
  page,
  standIn,
}) => {
  const ticket = sampleTicket();
  const limits = {
    video_upload: true,
    video_processing_minutes_monthly: 90,
    max_video_size_mb: null,
    pets_allowed: 3,
  };
  const plan = { ...ticket.plan, name: 'plain-name', displayName: {}, limits };
  standIn.on(ticketGet, { body: { ...ticket, plan } });
  await visit(page, standIn, `/tickets/${ticket.id}`);
  await expect(page.getByRole('heading', { level: 1, name: ticket.code })).toBeVisible();
  await expect(page.getByRole('link', { name: 'plain-name' })).toBeVisible();
  for (const [name, value] of [
    ['Video upload', 'Yes'],
    ['Video minutes per month', '90'],
    ['Max video size', 'N/A'],
    ['Monthly posts', 'N/A'],
    ['Pets allowed', '3'],
  ] as const) {
    await expect(limitRow(page, name).getByRole('cell')).toHaveText([value, value]);
  }
  standIn.on(ticketGet, { status: 404, body: { message: 'Nothing here' } });
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing here');
  standIn.on(ticketGet, { status: 404, body: {} });
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ticket not found');
});

test('an assignment of an unknown status is not revoked', async ({ page, standIn }) => {
  const paused = sampleAssignment({ status: 'PAUSED' });
  await openTicket(page, standIn, sampleTicket({ status: 'ACTIVE' }), [paused]);
  await expect(assignmentRows(page).getByText('PAUSED', { exact: true })).toBeVisible();
  await expect(assignmentsOf(page).getByRole('button')).toHaveCount(0);
});
