import { ticketList } from '@meridian/contract';
import { withCursor } from './support/page-address.ts';
import { expect, test } from './support/test.ts';
import { statusFilter, ticketCodes, ticketSearch } from './support/tickets-list.ts';

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** By its number in the list; all of them begin alike, in an alphabet without the letter O. */
const code = (number: number) =>
  `CQDE-AAAA-AAAA-${LETTERS[Math.floor(number / 10)]}AA${LETTERS[number % 10]}`;

/** 45 tickets: every third revoked, the others unused. */
const MANY = Array.from({ length: 45 }, (_, index) => ({
  code: code(index + 1),
  status: index % 3 === 0 ? ('REVOKED' as const) : ('UNUSED' as const),
  memo: index < 5 ? 'Spring campaign' : null,
}));

test('twenty to a page, with a pager that says which; a page that is gone lands on the last', async ({
  page,
  app,
  catalogue,
}) => {
  await catalogue.tickets(MANY);
  await app.open('/tickets');
  await expect(ticketCodes(page)).toHaveText(MANY.slice(0, 20).map((ticket) => ticket.code));
  await expect(page.getByText('Showing 1 to 20 of 45 tickets')).toBeVisible();
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByText('Showing 21 to 40 of 45 tickets')).toBeVisible();
  await expect(ticketCodes(page).first()).toHaveText(code(21));
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page).toHaveURL(withCursor(`${app.url}/tickets?page=3`));
  await expect(ticketCodes(page)).toHaveCount(5);
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled();
  await app.open('/tickets?page=9');
  await expect(page).toHaveURL(`${app.url}/tickets?page=3`);
  await expect(page.getByText('Showing 41 to 45 of 45 tickets')).toBeVisible();
  // Never all of them.
  const urls = app.callsTo(ticketList).map(({ url }) => url);
  expect(urls.filter((url) => !url.includes('limit=20'))).toEqual([]);
  expect(urls[0]).toBe('/api/admin/tickets?limit=20');
});

// Proves 2.136
test('filters and search ask the server from the first page on; Back leads to the very list', async ({
  page,
  app,
  catalogue,
}) => {
  await catalogue.tickets(MANY);
  await app.open('/tickets?page=2');
  await expect(ticketCodes(page)).toHaveCount(20);
  // The rows and counts stay, dimmed, while the next ones come.
  const held = await app.hold(ticketList);
  await statusFilter(page, 'Revoked').click();
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true');
  await expect(statusFilter(page, 'Revoked')).toHaveText('Revoked 15');
  await expect(ticketCodes(page)).toHaveCount(20);
  held.release();
  await expect(ticketCodes(page)).toHaveCount(15);
  await expect(page).toHaveURL(`${app.url}/tickets?status=REVOKED`);
  await expect(statusFilter(page, 'All')).toHaveText('All 45');
  await expect(page.getByText(/^Showing/)).toHaveCount(0);
  await statusFilter(page, 'Active').click();
  await expect(page.getByText('No tickets found', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(ticketCodes(page)).toHaveCount(20);
  await expect(page).toHaveURL(`${app.url}/tickets`);

  await page.getByRole('link', { name: 'Next' }).click();
  await expect(ticketCodes(page).first()).toHaveText(code(21));
  await page.keyboard.press('/');
  await expect(ticketSearch(page)).toBeFocused();
  await page.keyboard.type('spring');
  await expect(ticketCodes(page)).toHaveText([1, 2, 3, 4, 5].map(code));
  await expect(page).toHaveURL(`${app.url}/tickets?search=spring`);
  await expect(ticketSearch(page)).toBeFocused();
  await expect(statusFilter(page, 'Revoked')).toHaveText('Revoked 2');
  await statusFilter(page, 'Revoked').click();
  await expect(ticketCodes(page)).toHaveText([code(1), code(4)]);
  expect(app.callsTo(ticketList).at(-1)?.url).toBe(
    '/api/admin/tickets?limit=20&status=REVOKED&search=spring',
  );

  await app.open('/tickets?status=UNUSED&search=cqde&page=2');
  await expect(ticketCodes(page)).toHaveCount(10);
  await ticketCodes(page).nth(2).click();
  await page.getByRole('link', { name: 'Back to Tickets' }).click();
  await expect(page).toHaveURL(`${app.url}/tickets?status=UNUSED&search=cqde&page=2`);
  await expect(ticketCodes(page)).toHaveCount(10);
  await expect(ticketSearch(page)).toHaveValue('cqde');
});
