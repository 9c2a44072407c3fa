import { TICKET_PAGES_FEATURE, authLogin, authMe, ticketGet, ticketList } from '@meridian/contract';
import type { Ticket, TicketCounts } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { gate } from './support/gate.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectNoSidewaysScroll } from './support/layout.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { ME, sampleTicket } from './support/samples.ts';
import type { Call, StandIn } from './support/stand-in.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

/** Pages of tickets, as a server announces them; tickets.spec.ts has the servers that do not. */

const PAGED = { ...ME, features: [TICKET_PAGES_FEATURE] };
const NOW = new Date('2026-11-14T12:00:00.000Z');

const filters = (page: Page) => page.getByRole('navigation', { name: 'Status' });
const filter = (page: Page, name: string) => filters(page).getByRole('button', { name });
const searchField = (page: Page) => page.getByRole('searchbox', { name: 'Search' });
const codes = (page: Page) => page.getByRole('table', { name: 'Plan tickets' }).getByRole('link');
const codeNumber = (number: number) => `CODE-${String(number).padStart(3, '0')}`;
const urls = (standIn: StandIn) => standIn.callsTo(ticketList).map(({ url }) => url);

/** 45 tickets: every third revoked, the others unused. */
const MANY = Array.from({ length: 45 }, (_, index) =>
  sampleTicket({
    code: codeNumber(index + 1),
    status: index % 3 === 0 ? 'REVOKED' : 'UNUSED',
    memo: index < 5 ? 'Spring campaign' : null,
  }),
);

/** Pages, counts and search as the contract has them. */
function pageOf(tickets: readonly Ticket[], call: Call) {
  const query = new URL(call.url, 'http://localhost').searchParams;
  const [status, search = ''] = [query.get('status'), query.get('search')?.toLowerCase()];
  const matching = tickets.filter(({ code, memo }) =>
    `${code} ${memo ?? ''}`.toLowerCase().includes(search),
  );
  const of = (one: string) => matching.filter((ticket) => ticket.status === one);
  const listed = status === null ? matching : of(status);
  const from = Number(query.get('offset') ?? 0);
  const counts: TicketCounts = {
    ALL: matching.length,
    UNUSED: of('UNUSED').length,
    ACTIVE: of('ACTIVE').length,
    EXPIRED: of('EXPIRED').length,
    REVOKED: of('REVOKED').length,
  };
  return { tickets: listed.slice(from, from + 20), total: listed.length, counts };
}

async function openPages(page: Page, standIn: StandIn, search = '', tickets = MANY) {
  standIn
    .on(ticketList, (call) => ({ body: pageOf(tickets, call) }))
    .on(ticketGet, { body: { ticket: sampleTicket(), assignments: [] } });
  await visit(page, standIn, `/tickets${search}`, PAGED);
  await expect(page.getByRole('heading', { level: 1, name: 'Plan Tickets' })).toBeVisible();
}

test('twenty to a page, with a pager that says which', async ({ page, standIn }) => {
  await openPages(page, standIn);
  await expect(codes(page)).toHaveCount(20);
  await expect(page.getByText('Showing 1 to 20 of 45 tickets')).toBeVisible();
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByText('Showing 21 to 40 of 45 tickets')).toBeVisible();
  await expect(codes(page).first()).toHaveText('CODE-021');
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page).toHaveURL(`${standIn.url}/tickets?page=3`);
  await expect(codes(page)).toHaveCount(5);
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled();
  expect(new Set(urls(standIn))).toEqual(
    new Set([
      '/api/admin/tickets?limit=20',
      '/api/admin/tickets?limit=20&offset=20',
      '/api/admin/tickets?limit=20&offset=40',
    ]),
  );
});

test('the filters ask the server, and show its counts', async ({ page, standIn }) => {
  await openPages(page, standIn, '?page=2');
  await expect(filters(page).getByRole('button')).toHaveText([
    'All 45',
    'Unused 30',
    'Active 0',
    'Expired 0',
    'Revoked 15',
  ]);
  await filter(page, 'Revoked').click();
  await expect(codes(page)).toHaveCount(15);
  await expect(page).toHaveURL(`${standIn.url}/tickets?status=REVOKED`);
  await expect(filter(page, 'All')).toHaveText('All 45');
  await expect(page.getByText(/^Showing/)).toHaveCount(0);
  await filter(page, 'Active').click();
  await expect(page.getByText('No tickets found', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(codes(page)).toHaveCount(20);
  await expect(page).toHaveURL(`${standIn.url}/tickets`);
});

test('the search applies while one types, from the first page on', async ({ page, standIn }) => {
  await openPages(page, standIn, '?page=3');
  await expect(codes(page)).toHaveCount(5);
  await page.keyboard.press('/');
  await expect(searchField(page)).toBeFocused();
  await page.keyboard.type('spring');
  await expect(codes(page)).toHaveText([1, 2, 3, 4, 5].map(codeNumber));
  await expect(page).toHaveURL(`${standIn.url}/tickets?search=spring`);
  await expect(searchField(page)).toBeFocused();
  await expect(filter(page, 'Revoked')).toHaveText('Revoked 2');
  await filter(page, 'Revoked').click();
  await expect(codes(page)).toHaveText([codeNumber(1), codeNumber(4)]);
  expect(urls(standIn).at(-1)).toBe('/api/admin/tickets?limit=20&status=REVOKED&search=spring');
});

test('the way back leads to the very list', async ({ page, standIn }) => {
  await openPages(page, standIn, '?status=UNUSED&search=code&page=2');
  await expect(codes(page)).toHaveCount(10);
  await codes(page).nth(2).click();
  await page.getByRole('link', { name: 'Back to Tickets' }).click();
  await expect(page).toHaveURL(`${standIn.url}/tickets?status=UNUSED&search=code&page=2`);
  await expect(codes(page)).toHaveCount(10);
  await expect(searchField(page)).toHaveValue('code');
});

test('a page that is gone lands on the last', async ({ page, standIn }) => {
  await openPages(page, standIn, '?page=9');
  await expect(page).toHaveURL(`${standIn.url}/tickets?page=3`);
  await expect(page.getByText('Showing 41 to 45 of 45 tickets')).toBeVisible();
});

test('the rows and counts stay, dimmed, while the next ones come', async ({ page, standIn }) => {
  await openPages(page, standIn);
  await expect(codes(page)).toHaveCount(20);
  const answer = gate();
  standIn.on(ticketList, (call) => ({ body: pageOf(MANY, call), until: answer.opened }));
  await filter(page, 'Revoked').click();
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true');
  await expect(filter(page, 'Revoked')).toHaveText('Revoked 15');
  await expect(codes(page)).toHaveCount(20);
  answer.open();
  await expect(codes(page)).toHaveCount(15);
});

for (const width of [1440, 1280, 900, 768, 360]) {
  test(`loading says so, and nothing moves at ${width} px`, async ({ page, standIn }) => {
    await page.setViewportSize({ width, height: 800 });
    const answer = gate();
    await watchLayoutShift(page);
    const counts = { ALL: 123_456, UNUSED: 98_765, ACTIVE: 12_345, EXPIRED: 12_346, REVOKED: 10 };
    standIn.on(ticketList, (call) => ({
      body: { ...pageOf(MANY, call), counts },
      until: answer.opened,
    }));
    await visit(page, standIn, '/tickets', PAGED);
    await expect(page.getByRole('status').getByText('Loading tickets...')).toBeVisible();
    answer.open();
    await expect(codes(page)).toHaveCount(20);
    await expectNoLayoutShift(page);
  });
}

test('a failure is told, and tried again', async ({ page, standIn }) => {
  standIn.on(ticketList, { status: 500, body: { message: 'Resting' } });
  await visit(page, standIn, '/tickets', PAGED);
  await expect(page.getByRole('alert').getByText('Error: Resting', { exact: true })).toBeVisible();
  standIn.on(ticketList, (call) => ({ body: pageOf(MANY, call) }));
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(codes(page)).toHaveCount(20);
});

test('a ticket that expires while one looks is shown so, and the counts are read again', async ({
  page,
  standIn,
}) => {
  await page.clock.install({ time: NOW });
  const soon = new Date(NOW.getTime() + 60_000).toISOString();
  const ticket = sampleTicket({ redemptionDeadline: soon });
  await openPages(page, standIn, '', [ticket]);
  await expect(filter(page, 'Unused')).toHaveText('Unused 1');
  standIn.on(ticketList, (call) => ({ body: pageOf([{ ...ticket, status: 'EXPIRED' }], call) }));
  await page.clock.runFor(75_000);
  await expect(page.getByRole('cell').nth(3)).toHaveText('Expired');
  await expect(filter(page, 'Expired')).toHaveText('Expired 1');
  await expect(filter(page, 'Unused')).toHaveText('Unused 0');
});

test('a server whose clock is late is asked again once, not for ever', async ({
  page,
  standIn,
}) => {
  await page.clock.install({ time: NOW });
  const past = new Date(NOW.getTime() - 60_000).toISOString();
  await openPages(page, standIn, '', [sampleTicket({ redemptionDeadline: past })]);
  await expect(page.getByRole('cell').nth(3)).toHaveText('Expired');
  await expect.poll(() => urls(standIn).length).toBe(2);
  await page.clock.runFor(9_000);
  expect(urls(standIn)).toHaveLength(2);
});

test('right after a login nothing is asked for before the server has said what it has', async ({
  page,
  standIn,
}) => {
  standIn.on(authMe, { status: 401, body: { message: 'Session expired' } });
  standIn.on(ticketList, (call) => ({ body: pageOf(MANY, call) }));
  await visitExpired(page, standIn);
  const known = gate();
  standIn.on(authMe, { body: PAGED, until: known.opened });
  standIn.on(authLogin, { body: { token: 'next-token', admin: ME } });
  standIn.calls.length = 0;
  await page.getByRole('textbox', { name: 'Username' }).fill('ana');
  await page.getByRole('textbox', { name: 'Password' }).fill('a long secret');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('Loading tickets...')).toBeVisible();
  expect(urls(standIn)).toEqual([]);
  known.open();
  await expect(codes(page)).toHaveCount(15);
  expect(urls(standIn)).toEqual(['/api/admin/tickets?limit=20&status=REVOKED']);
});

/** A session that ended in the middle of work on the tickets. */
async function visitExpired(page: Page, standIn: StandIn) {
  await visit(page, standIn, '/tickets', PAGED);
  await expect(codes(page)).toHaveCount(20);
  standIn.on(ticketList, { status: 401, body: { message: 'Session expired' } });
  await filter(page, 'Revoked').click();
  await expect(page).toHaveURL(`${standIn.url}/login`);
  standIn.on(ticketList, (call) => ({ body: pageOf(MANY, call) }));
}

test('is accessible, and fits into every width', async ({ page, standIn }) => {
  test.slow();
  await openPages(page, standIn, '?search=code');
  await expect(codes(page)).toHaveCount(20);
  await expectAccessibleInTwoLooks(page);
  for (const width of [320, 360, 600, 768, 1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
  }
});

test.describe('the real server', () => {
  test('pages, filters and searches; Back leads to the very list', async ({
    signedIn: page,
    meridian,
  }) => {
    const { tickets } = await meridian.call(ticketList);
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname === ticketList.path) asked.push(search);
    });
    await page.getByRole('link', { name: 'Tickets', exact: true }).click();
    await expect(codes(page)).toHaveText(tickets.slice(0, 20).map(({ code }) => code));
    await expect(filter(page, 'All')).toHaveText(`All ${tickets.length}`);
    await expect(page.getByText(`Showing 1 to 20 of ${tickets.length} tickets`)).toBeVisible();
    await page.getByRole('link', { name: 'Next' }).click();
    await expect(codes(page).first()).toHaveText(tickets[20]?.code ?? '');

    const revoked = tickets.filter(({ status }) => status === 'REVOKED');
    await filter(page, 'Revoked').click();
    await expect(filter(page, 'Revoked')).toHaveText(`Revoked ${revoked.length}`);
    await expect(codes(page)).toHaveText(revoked.slice(0, 20).map(({ code }) => code));

    const [wanted] = revoked;
    const part = wanted?.code.slice(5, 14).toLowerCase() ?? '';
    await searchField(page).pressSequentially(part);
    await expect(codes(page)).toHaveText([wanted?.code ?? '']);
    await expect(filter(page, 'All')).toHaveText('All 1');
    await codes(page).click();
    await page.getByRole('link', { name: 'Back to Tickets' }).click();
    await expect(page).toHaveURL(`${meridian.url}/tickets?status=REVOKED&search=${part}`);
    await expect(codes(page)).toHaveText([wanted?.code ?? '']);

    await page.goto(`${meridian.url}/tickets?page=99`);
    const last = Math.ceil(tickets.length / 20);
    await expect(page).toHaveURL(`${meridian.url}/tickets?page=${last}`);
    await expect(codes(page)).toHaveText(tickets.slice((last - 1) * 20).map(({ code }) => code));
    // Never all of them.
    expect(asked.filter((search) => !search.includes('limit=20'))).toEqual([]);
  });
});
