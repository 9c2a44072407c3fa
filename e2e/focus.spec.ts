import { ticketGet, ticketIssue, userGet } from '@meridian/contract';
import { expect, test } from './support/test.ts';
import { submitTicket } from './support/ticket-issue.ts';

/* After opening a page the focus is on its heading, also where a skeleton was there first. */

const CODE = 'ABCD-EFGH-JKLM-NPQR';

test('opening a user slowly leaves the focus on the heading', async ({ page, app }) => {
  const user = await app.rows.user();
  await app.open('/users');
  const held = await app.hold(userGet);
  await page.getByRole('link', { name: `View Details of ${user.handle}` }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'User' })).toBeFocused();
  held.release();
  await expect(
    page.getByRole('heading', { level: 1, name: user.display_name ?? '' }),
  ).toBeFocused();
});

test('a user that is gone has the focus on the heading too', async ({ page, app }) => {
  const user = await app.rows.user();
  await app.open('/users');
  const held = await app.hold(userGet);
  await page.getByRole('link', { name: `View Details of ${user.handle}` }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'User' })).toBeFocused();
  // From the link back as well: it is replaced like the heading.
  await page.getByRole('link', { name: 'Back to Users' }).focus();
  await app.rows.clear();
  held.release();
  await expect(page.getByRole('heading', { level: 1, name: 'User not found' })).toBeFocused();
});

test('opening a ticket slowly leaves the focus on the heading', async ({ page, app }) => {
  await app.rows.assignment(await app.rows.user(), { code: CODE });
  await app.open('/tickets');
  const held = await app.hold(ticketGet);
  await page.getByRole('link', { name: CODE }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Ticket' })).toBeFocused();
  held.release();
  await expect(page.getByRole('heading', { level: 1, name: CODE })).toBeFocused();
});

test('after issuing a ticket the focus is on the heading of the new one', async ({ page, app }) => {
  await app.rows.assignment(await app.rows.user());
  await app.open('/tickets/issue');
  await expect(page.getByRole('combobox', { name: 'Plan' })).toBeEnabled();
  await page.getByRole('combobox', { name: 'Plan' }).selectOption({ index: 1 });
  const held = await app.hold(ticketGet);
  const issued = page.waitForResponse(app.url + ticketIssue.path);
  await submitTicket(page).press('Enter');
  const { ticket } = await (await issued).json();
  await expect(page).toHaveURL(`${app.url}/tickets/${ticket.id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Ticket' })).toBeFocused();
  held.release();
  await expect(page.getByRole('heading', { level: 1, name: ticket.code })).toBeFocused();
});

test('the entry of a menu that has the focus shows it by a ring inside its box', async ({
  page,
  app,
}) => {
  await app.open('/');
  await page.getByRole('button', { name: /@admin/ }).press('Enter');
  for (const entry of [
    page.getByRole('menuitem', { name: 'Change Password' }),
    page.getByRole('menuitemradio').first(),
  ]) {
    await expect(entry).toBeFocused();
    await expect(entry).toHaveCSS('outline-style', 'solid');
    await expect(entry).toHaveCSS('outline-width', '2px');
    // The menu scrolls, so that it would cut off a ring outside.
    await expect(entry).toHaveCSS('outline-offset', '-2px');
    await page.keyboard.press('ArrowDown');
  }
});
