import { planList, ticketGet, ticketList } from '@meridian/contract';
import type { Ticket } from '@meridian/contract';
import type { Locator, Page } from '@playwright/test';
import { gate } from './support/gate.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectNoSidewaysScroll } from './support/layout.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { samplePlan, sampleTicket } from './support/samples.ts';
import type { StandIn } from './support/stand-in.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

const NOW = new Date('2026-11-14T12:00:00.000Z');
const PAST = '2026-11-14T11:00:00.000Z';
const FUTURE = '2027-01-31T17:30:00.000Z';

async function openTickets(page: Page, standIn: StandIn, tickets: Ticket[], search = '') {
  standIn.on(ticketList, { body: { tickets } });
  await visit(page, standIn, `/tickets${search}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Plan Tickets' })).toBeVisible();
}

const filters = (page: Page) => page.getByRole('navigation', { name: 'Status' });
const filter = (page: Page, name: string) => filters(page).getByRole('button', { name });
const table = (page: Page) => page.getByRole('table', { name: 'Plan tickets' });
const cells = (row: Locator) => row.getByRole('cell');
const codes = (page: Page) => table(page).getByRole('link');

/** One of each status as stored, and one that ran out without the server noticing. */
const MIXED = () => [
  sampleTicket({ code: 'UNUSED-1' }),
  sampleTicket({ code: 'UNUSED-2', redemptionDeadline: FUTURE }),
  sampleTicket({ code: 'RAN-OUT', redemptionDeadline: PAST }),
  sampleTicket({ code: 'ACTIVE-1', status: 'ACTIVE' }),
  sampleTicket({ code: 'EXPIRED-1', status: 'EXPIRED' }),
  sampleTicket({ code: 'REVOKED-1', status: 'REVOKED' }),
  sampleTicket({ code: 'REVOKED-AND-OUT', status: 'REVOKED', redemptionDeadline: PAST }),
];

test.describe('each ticket', () => {
  test('is shown in eight columns', async ({ page, standIn }) => {
    const ticket = sampleTicket({ redemptionCount: 3, redemptionDeadline: FUTURE });
    await openTickets(page, standIn, [ticket]);
    await expect(page).toHaveTitle('Plan Tickets · Meridian');
    await expect(page.getByRole('columnheader')).toHaveText([
      'Code',
      'Plan',
      'Issuer',
      'Status',
      'Usage',
      'Valid Days',
      'Issued At',
      'Redemption Deadline',
    ]);
    await expect(cells(table(page))).toHaveText([
      'K7QM-2XTD-9HRA-W4NB',
      'StudioPREMIUM',
      'Ana Okafor@ana',
      'Unused',
      '3 / 5',
      '30 days',
      '3 Nov 2026, 10:02',
      '31 Jan 2027, 18:30',
    ]);
    await expect(codes(page)).toHaveAttribute('href', `/tickets/${ticket.id}`);
    expect(standIn.callsTo(ticketList).map(({ url, token }) => [url, token])).toEqual([
      ['/api/admin/tickets', 'a-token'],
    ]);
  });

  test('falls back on what is known', async ({ page, standIn }) => {
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
    await expect(cells(table(page))).toHaveText([
      'K7QM-2XTD-9HRA-W4NB',
      'plain-nameGOLD',
      'night-shift@night-shift',
      'ON_HOLD',
      '12 / ∞',
      '1 days',
      '3 Nov 2026, 10:02',
      'N/A',
    ]);
  });

  test('may say less than the specification, or more', async ({ page, standIn }) => {
    const bare = {
      id: 'ticket-x',
      code: 'BARE',
      status: 'UNUSED',
      planId: 'plan-x',
      colour: 'red',
    };
    standIn.on(ticketList, { body: { tickets: [bare] } });
    await visit(page, standIn, '/tickets');
    await expect(cells(table(page)).first()).toHaveText('BARE');
    await expect(cells(table(page)).last()).toHaveText('N/A');
  });
});

test.describe('the filters', () => {
  test('count and sift by the status a ticket has by now', async ({ page, standIn }) => {
    await page.clock.setFixedTime(NOW);
    await openTickets(page, standIn, MIXED());
    await expect(filters(page).getByRole('button')).toHaveText([
      'All 7',
      'Unused 2',
      'Active 1',
      'Expired 3',
      'Revoked 1',
    ]);
    await expect(filter(page, 'All')).toHaveAttribute('aria-pressed', 'true');
    for (const [name, search, found] of [
      ['Unused', '?status=UNUSED', ['UNUSED-1', 'UNUSED-2']],
      ['Active', '?status=ACTIVE', ['ACTIVE-1']],
      ['Expired', '?status=EXPIRED', ['RAN-OUT', 'EXPIRED-1', 'REVOKED-AND-OUT']],
      ['Revoked', '?status=REVOKED', ['REVOKED-1']],
    ] as const) {
      await filter(page, name).click();
      await expect(codes(page)).toHaveText([...found]);
      await expect(page).toHaveURL(`${standIn.url}/tickets${search}`);
      await expect(filter(page, name)).toHaveAttribute('aria-pressed', 'true');
      await expect(filter(page, 'All')).toHaveAttribute('aria-pressed', 'false');
    }
    await filter(page, 'All').click();
    await expect(codes(page)).toHaveCount(7);
    await expect(page).toHaveURL(`${standIn.url}/tickets`);
    // Sifting is the console's own work.
    expect(standIn.callsTo(ticketList)).toHaveLength(1);
  });

  test('are read from the address; nonsense there means all', async ({ page, standIn }) => {
    await openTickets(page, standIn, MIXED(), '?status=ACTIVE');
    await expect(codes(page)).toHaveText(['ACTIVE-1']);
    await page.goto(`${standIn.url}/tickets?status=NONSENSE`);
    await expect(codes(page)).toHaveCount(7);
    await expect(filter(page, 'All')).toHaveAttribute('aria-pressed', 'true');
  });

  test('see a ticket expire while one looks', async ({ page, standIn }) => {
    await page.clock.install({ time: NOW });
    const soon = new Date(NOW.getTime() + 60_000).toISOString();
    await openTickets(page, standIn, [sampleTicket({ redemptionDeadline: soon })]);
    await expect(filter(page, 'Unused')).toHaveText('Unused 1');
    await page.clock.runFor(75_000);
    await expect(filter(page, 'Unused')).toHaveText('Unused 0');
    await expect(filter(page, 'Expired')).toHaveText('Expired 1');
    await expect(cells(table(page)).nth(3)).toHaveText('Expired');
  });

  test('are reached and used by keyboard', async ({ page, standIn }) => {
    await openTickets(page, standIn, MIXED());
    await expect(codes(page)).toHaveCount(7);
    await page.keyboard.press('/');
    await expect(filter(page, 'All')).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(codes(page)).toHaveText(['ACTIVE-1']);
    await expect(filter(page, 'Active')).toBeFocused();
    for (let stop = 0; stop < 3; stop += 1) await page.keyboard.press('Tab');
    await expect(codes(page)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/tickets\/ticket-/);
  });
});

test.describe('the states', () => {
  test('loading says so in the boxes of what comes', async ({ page, standIn }) => {
    const answer = gate();
    await watchLayoutShift(page);
    standIn.on(ticketList, { body: { tickets: MIXED() }, until: answer.opened });
    await visit(page, standIn, '/tickets');
    await expect(page.getByRole('status').getByText('Loading tickets...')).toBeVisible();
    await expect(page.getByRole('columnheader')).toHaveCount(8);
    answer.open();
    await expect(codes(page)).toHaveCount(7);
    await expect(page.getByText('Loading tickets...')).toHaveCount(0);
    await expectNoLayoutShift(page);
  });

  test('on a phone nothing moves either, however large the counts', async ({ page, standIn }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    const answer = gate();
    await watchLayoutShift(page);
    const tickets = Array.from({ length: 1200 }, () => sampleTicket({ status: 'REVOKED' }));
    standIn.on(ticketList, { body: { tickets }, until: answer.opened });
    await visit(page, standIn, '/tickets');
    await expect(page.getByText('Loading tickets...')).toBeVisible();
    answer.open();
    await expect(filter(page, 'Revoked')).toHaveText('Revoked 1,200');
    await expectNoLayoutShift(page);
  });

  test('empty', async ({ page, standIn }) => {
    await openTickets(page, standIn, []);
    await expect(page.getByText('No tickets found', { exact: true })).toBeVisible();
    await expect(filters(page).getByRole('button')).toHaveText([
      'All 0',
      'Unused 0',
      'Active 0',
      'Expired 0',
      'Revoked 0',
    ]);
    await expect(page.getByRole('button', { name: 'Clear filters' })).toHaveCount(0);
    // The next step stands where the list would, as well as above it.
    await expect(page.getByRole('link', { name: 'Issue New Ticket' })).toHaveCount(2);
  });

  test('empty because of a filter, which can be cleared', async ({ page, standIn }) => {
    await openTickets(page, standIn, [sampleTicket()], '?status=REVOKED');
    await expect(page.getByText('No tickets found', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(codes(page)).toHaveCount(1);
    await expect(page).toHaveURL(`${standIn.url}/tickets`);
  });

  for (const [what, answer, message] of [
    ["the server's own words", { status: 500, body: { message: 'Resting' } }, 'Error: Resting'],
    ['no JSON', { status: 502, text: '<h1>Bad gateway</h1>' }, 'Error: Request failed'],
    ['no message', { status: 503, body: {} }, 'Error: HTTP 503'],
    ['no answer at all', { cut: true }, 'Error: Failed to load tickets'],
  ] as const) {
    test(`failed with ${what}, and tried again`, async ({ page, standIn }) => {
      standIn.on(ticketList, answer);
      await visit(page, standIn, '/tickets');
      const alert = page.getByRole('alert');
      await expect(alert.getByText(message, { exact: true })).toBeVisible();
      standIn.on(ticketList, { body: { tickets: [sampleTicket()] } });
      await alert.getByRole('button', { name: 'Retry' }).click();
      await expect(codes(page)).toHaveCount(1);
      await expect(page.getByRole('alert')).toHaveCount(0);
    });
  }
});

test('Issue New Ticket leads to the form', async ({ page, standIn }) => {
  standIn.on(planList, { body: { plans: [samplePlan()] } });
  await openTickets(page, standIn, [sampleTicket()]);
  await page.getByRole('link', { name: 'Issue New Ticket' }).click();
  await expect(page).toHaveURL(`${standIn.url}/tickets/issue`);
  await expect(page.getByRole('heading', { level: 1, name: 'Issue New Ticket' })).toBeVisible();
});

test('the way back leads to the filtered list', async ({ page, standIn }) => {
  const [ticket] = MIXED();
  standIn.on(ticketGet, { body: { ticket, assignments: [] } });
  await openTickets(page, standIn, MIXED(), '?status=UNUSED');
  await page.getByRole('link', { name: 'UNUSED-1' }).click();
  await page.getByRole('link', { name: 'Back to Tickets' }).click();
  await expect(page).toHaveURL(`${standIn.url}/tickets?status=UNUSED`);
});

test('is accessible, with awkward names', async ({ page, standIn }) => {
  test.slow();
  const { plan } = sampleTicket();
  await openTickets(page, standIn, [
    ...MIXED(),
    sampleTicket({ issuer: { displayName: 'صباح الخير', handle: 'sabah' }, status: 'ON_HOLD' }),
    sampleTicket({
      plan: { ...plan, displayName: { en: 'Wilhelmina '.repeat(9) }, tier: 'ENTERPRISE' },
      issuer: { displayName: 'Maximiliana '.repeat(9), handle: 'm'.repeat(250) },
      redemptionCount: 9999,
      maxRedemptions: 10_000,
      validDays: 3650,
    }),
  ]);
  await expect(codes(page)).toHaveCount(9);
  await expectAccessibleInTwoLooks(page);
  for (const width of [600, 768, 1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
    // Every cell is inside the card, whatever shape the table has.
    const overhang = await table(page).evaluate((element) => {
      const box = element.parentElement?.getBoundingClientRect().right ?? 0;
      return (
        Math.max(
          ...[...element.querySelectorAll('td')].map((cell) => cell.getBoundingClientRect().right),
        ) - box
      );
    });
    expect(overhang).toBeLessThanOrEqual(0.5);
  }
});

test('shows the tickets of the real server', async ({ signedIn: page, meridian }) => {
  const { tickets } = await meridian.call(ticketList);
  await page.getByRole('link', { name: 'Tickets', exact: true }).click();
  await expect(filter(page, 'All')).toHaveText(`All ${tickets.length}`);
  await expect(codes(page).first()).toHaveText(tickets[0]?.code ?? '');
});
