import { ticketList } from '@meridian/contract';
import type { Locator } from '@playwright/test';
import { withoutEvents } from './support/open-requests.ts';
import { expect, test } from './support/test.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectNoSidewaysScroll } from './support/layout.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import {
  statusFilter,
  statusFilters,
  ticketCells,
  ticketCodes,
  ticketTable,
} from './support/tickets-list.ts';
import { storedToken } from './support/token.ts';

const PAST = '2026-11-04T11:00:00.000Z';
const FUTURE = '2099-01-31T17:30:00.000Z';

/** Codes have no letters that look alike, so that they cannot say much. */
const code = (number: number) => `AAAA-AAAA-AAAA-AAA${number}`;

/** One of each status as stored, and two that ran out without a change of what is stored. */
const MIXED = [
  { code: code(2) },
  { code: code(3), redemptionDeadline: FUTURE },
  { code: code(4), redemptionDeadline: PAST },
  { code: code(5), status: 'ACTIVE' },
  { code: code(6), status: 'EXPIRED' },
  { code: code(7), status: 'REVOKED' },
  { code: code(8), status: 'REVOKED', redemptionDeadline: PAST },
] as const;

// Proves 2.115, 2.116, 2.117, 2.118, 2.119, 2.120, 2.121, 3.23, 7.25
test('is shown in eight columns', async ({ page, app, catalogue }) => {
  await withoutEvents(page);
  await app.rows.administrator('ana', 'Ana Okafor');
  const redeemed = { status: 'ACTIVE', redemptionCount: 3, redemptionDeadline: FUTURE } as const;
  const ticket = await catalogue.ticket({ code: code(2), issuer: 'ana', ...redeemed });
  const issuedAt = '2026-11-02T09:02:00.000Z';
  await catalogue.ticket({ code: code(3), issuedAt, maxRedemptions: null, validDays: 1 });
  await app.open('/tickets');
  await expect(page).toHaveTitle('Plan Tickets · Meridian');
  await expect(page.getByRole('heading', { level: 1, name: 'Plan Tickets' })).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveText([
    'Code',
    'Plan',
    'Issuer',
    'Status',
    'Usage',
    'Valid Days',
    'Issued At',
    'Redemption Deadline',
    // An extra of this server.
    'Memo',
  ]);
  await expect(ticketCells(page)).toHaveText([
    code(2),
    'StudioPREMIUM',
    'Ana Okafor@ana',
    'Active',
    '3 / 5',
    '30 days',
    '3 Nov 2026, 10:02',
    '31 Jan 2099, 18:30',
    '–',
    code(3),
    'StudioPREMIUM',
    'admin@admin',
    'Unused',
    '0 / ∞',
    '1 days',
    '2 Nov 2026, 10:02',
    'N/A',
    '–',
  ]);
  await expect(ticketCodes(page).first()).toHaveAttribute('href', `/tickets/${ticket.id}`);
  expect(app.addressesOf(ticketList)).toEqual(['/api/admin/tickets?limit=20']);
  expect(app.callsTo(ticketList)[0]?.token).toBe(await storedToken(page));
  // Only figures are set in tabular figures.
  const row = page.getByRole('row').nth(1);
  for (const [part, variant] of [
    [row.getByText('Studio'), 'normal'],
    [row.getByText('@ana'), 'normal'],
    [row.getByText('3 / 5'), 'tabular-nums'],
    [row.getByText('30 days'), 'tabular-nums'],
    [row.getByRole('time').first(), 'tabular-nums'],
  ] as const) {
    await expect(part).toHaveCSS('font-variant-numeric', variant);
  }
});

// Proves 2.114
test('the filters count and select by the status a ticket has by now', async ({
  page,
  app,
  catalogue,
}) => {
  await catalogue.tickets(MIXED);
  await app.open('/tickets');
  await expect(statusFilters(page).getByRole('button')).toHaveText([
    'All 7',
    'Unused 2',
    'Active 1',
    'Expired 3',
    'Revoked 1',
  ]);
  await expect(statusFilter(page, 'All')).toHaveAttribute('aria-pressed', 'true');
  for (const [name, search, found] of [
    ['Unused', '?status=UNUSED', [2, 3]],
    ['Active', '?status=ACTIVE', [5]],
    ['Expired', '?status=EXPIRED', [4, 6, 8]],
    ['Revoked', '?status=REVOKED', [7]],
  ] as const) {
    await statusFilter(page, name).click();
    await expect(ticketCodes(page)).toHaveText(found.map(code));
    await expect(page).toHaveURL(`${app.url}/tickets${search}`);
    await expect(statusFilter(page, name)).toHaveAttribute('aria-pressed', 'true');
    await expect(statusFilter(page, 'All')).toHaveAttribute('aria-pressed', 'false');
    await expect(statusFilter(page, 'All')).toHaveText('All 7');
  }
  await statusFilter(page, 'All').click();
  await expect(ticketCodes(page)).toHaveCount(7);
  await expect(page).toHaveURL(`${app.url}/tickets`);

  await app.open('/tickets?status=ACTIVE');
  await expect(ticketCodes(page)).toHaveText([code(5)]);
  await app.open('/tickets?status=NONSENSE');
  await expect(ticketCodes(page)).toHaveCount(7);
  await expect(statusFilter(page, 'All')).toHaveAttribute('aria-pressed', 'true');
});

// Proves 2.111, 2.112, 2.113
test('loading says so in the boxes of the rows, and none at all leads to the first', async ({
  page,
  app,
  catalogue,
}) => {
  await catalogue.tickets(MIXED);
  const held = await app.hold(ticketList);
  await watchLayoutShift(page);
  await app.open('/tickets');
  await expect(page.getByRole('status').getByText('Loading tickets...')).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveCount(9);
  held.release();
  await expect(ticketCodes(page)).toHaveCount(7);
  await expect(page.getByText('Loading tickets...')).toHaveCount(0);
  await expectNoLayoutShift(page);

  await catalogue.clear();
  await page.reload();
  await expect(page.getByText('No tickets found', { exact: true })).toBeVisible();
  await expect(statusFilters(page).getByRole('button')).toHaveText([
    'All 0',
    'Unused 0',
    'Active 0',
    'Expired 0',
    'Revoked 0',
  ]);
  await expect(page.getByRole('button', { name: 'Clear filters' })).toHaveCount(0);
  // The next step stands where the list would, as well as above it.
  const links = page.getByRole('link', { name: 'Issue New Ticket' });
  await expect(links).toHaveCount(2);
  await links.first().click();
  await expect(page).toHaveURL(`${app.url}/tickets/issue`);
  await expect(page.getByRole('heading', { level: 1, name: 'Issue New Ticket' })).toBeVisible();
});

test('a ticket that expires meanwhile is shown so, and the counts are read again', async ({
  page,
  app,
  catalogue,
}) => {
  const redemptionDeadline = new Date(Date.now() + 60_000).toISOString();
  const ticket = await catalogue.ticket({ redemptionDeadline });
  await page.clock.install();
  await app.open('/tickets');
  await expect(statusFilter(page, 'Unused')).toHaveText('Unused 1');
  await catalogue.passDeadline(ticket);
  await page.clock.runFor(75_000);
  await expect(ticketCells(page).nth(3)).toHaveText('Expired');
  await expect(statusFilter(page, 'Expired')).toHaveText('Expired 1');
  await expect(statusFilter(page, 'Unused')).toHaveText('Unused 0');
});

test('is accessible and fits into every width, with awkward names', async ({
  page,
  app,
  catalogue,
}) => {
  test.slow();
  await app.rows.administrator('sabah', 'صباح الخير');
  await app.rows.administrator('m'.repeat(60), 'Maximiliana '.repeat(8).trim());
  await catalogue.tickets([...MIXED, { code: code(9), issuer: 'sabah' }]);
  const displayName = { en: 'Wilhelmina '.repeat(9).trim() };
  await catalogue.ticket({
    plan: await catalogue.plan({ displayName, tier: 'ENTERPRISE' }),
    issuer: 'm'.repeat(60),
    status: 'ACTIVE',
    redemptionCount: 9999,
    maxRedemptions: 10_000,
    validDays: 3650,
  });
  await app.open('/tickets');
  await expect(ticketCodes(page)).toHaveCount(9);
  await expectAccessibleInTwoLooks(page);
  for (const width of [320, 360, 600, 768, 1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
    // Every cell is inside the card, whatever shape the table has.
    expect(await cellOverhang(ticketTable(page))).toBeLessThanOrEqual(0.5);
  }
});

function cellOverhang(table: Locator): Promise<number> {
  return table.evaluate((element) => {
    const box = element.parentElement?.getBoundingClientRect().right ?? 0;
    const cells = [...element.querySelectorAll('td')];
    return Math.max(...cells.map((cell) => cell.getBoundingClientRect().right)) - box;
  });
}
