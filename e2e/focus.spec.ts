import {
  assignmentList,
  ticketGet,
  ticketIssue,
  ticketList,
  userGet,
  userList,
  userPosts,
  userUpdate,
} from '@meridian/contract';
import { gate } from './support/gate.ts';
import { sampleAssignment, sampleTicket, sampleUser } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { openTicketIssue, submitTicket } from './support/ticket-issue.ts';
import { managementOf, openUser } from './support/user-page.ts';
import { visit } from './support/visit.ts';

/* The reader's place is the heading of the page, also where a skeleton stood there first. */

test('opening a user slowly leaves the focus on the heading', async ({ page, standIn }) => {
  const user = sampleUser();
  const answer = gate();
  standIn
    .on(userList, { body: { users: [user], total: 1 } })
    .on(userGet, { body: { user }, until: answer.opened })
    .on(assignmentList, { body: { assignments: [] } })
    .on(userPosts, { body: { posts: [], total: 0 } });
  await visit(page, standIn, '/users');
  await page.getByRole('link', { name: `View Details of ${user.handle}` }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'User' })).toBeFocused();
  answer.open();
  await expect(
    page.getByRole('heading', { level: 1, name: user.display_name ?? '' }),
  ).toBeFocused();
});

test('a user that cannot be loaded has the focus on the heading too', async ({ page, standIn }) => {
  const user = sampleUser();
  const answer = gate();
  standIn
    .on(userList, { body: { users: [user], total: 1 } })
    .on(userGet, { status: 404, body: {}, until: answer.opened });
  await visit(page, standIn, '/users');
  await page.getByRole('link', { name: `View Details of ${user.handle}` }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'User' })).toBeFocused();
  // From the way back as well: it is replaced like the heading.
  await page.getByRole('link', { name: 'Back to Users' }).focus();
  answer.open();
  await expect(page.getByRole('heading', { level: 1, name: 'User not found' })).toBeFocused();
});

test('opening a ticket slowly leaves the focus on the heading', async ({ page, standIn }) => {
  const ticket = sampleTicket();
  const answer = gate();
  standIn
    .on(ticketList, { body: { tickets: [ticket] } })
    .on(ticketGet, { body: { ticket, assignments: [sampleAssignment()] }, until: answer.opened });
  await visit(page, standIn, '/tickets');
  await page.getByRole('link', { name: ticket.code }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Ticket' })).toBeFocused();
  answer.open();
  await expect(page.getByRole('heading', { level: 1, name: ticket.code })).toBeFocused();
});

test('after issuing a ticket the focus is on the heading of the new one', async ({
  page,
  standIn,
}) => {
  const ticket = sampleTicket();
  const answer = gate();
  standIn
    .on(ticketIssue, { status: 201, body: { ticket } })
    .on(ticketGet, { body: { ticket, assignments: [] }, until: answer.opened });
  await openTicketIssue(page, standIn);
  await page.getByRole('combobox', { name: 'Plan' }).selectOption({ index: 1 });
  await submitTicket(page).press('Enter');
  await expect(page).toHaveURL(`${standIn.url}/tickets/${ticket.id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Ticket' })).toBeFocused();
  answer.open();
  await expect(page.getByRole('heading', { level: 1, name: ticket.code })).toBeFocused();
});

test('after confirming the focus is in the card of the button, at no time on the body', async ({
  page,
  standIn,
}) => {
  const user = await openUser(page, standIn);
  standIn.on(userUpdate, () => {
    const blocked = { ...user, status: 'BLOCKED' };
    standIn.on(userGet, { body: { user: blocked } });
    return { body: { user: blocked } };
  });
  await managementOf(page).getByRole('button', { name: 'Blocked' }).click();
  await page.evaluate(() => {
    const look = () => {
      if (document.activeElement === document.body) document.body.dataset['hadFocus'] = '';
      requestAnimationFrame(look);
    };
    look();
  });
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).press('Enter');
  await expect(page.getByText('Status changed to BLOCKED')).toBeVisible();
  await expect(managementOf(page).getByRole('button', { name: 'Blocked' })).toBeDisabled();
  await expect(page.getByRole('heading', { name: 'User Management' })).toBeFocused();
  await expect(page.locator('body')).not.toHaveAttribute('data-had-focus');
});
