import { userGet, userUpdate } from '@meridian/contract';
import type { User } from '@meridian/contract';
import type { StandIn } from './support/stand-in.ts';
import { expect, test } from './support/test.ts';
import { managementOf, openUser, valueOf } from './support/user-page.ts';

const CARDS = { assignments: [], posts: [] };

/** From now on the server has changed the user so. */
function becomes(standIn: StandIn, user: User) {
  standIn.on(userUpdate, { body: { user } }).on(userGet, { body: { user } });
}

// Proves 8.34
test('a status change that fails says why in the dialog, and can be repeated', async ({
  page,
  standIn,
}) => {
  const user = await openUser(page, standIn, CARDS);
  await managementOf(page).getByRole('button', { name: 'Blocked' }).click();
  const dialog = page.getByRole('alertdialog');
  for (const [response, message] of [
    [{ status: 409, body: { message: 'Changed meanwhile' } }, 'Changed meanwhile'],
    [{ cut: true }, 'Failed to update user status'],
  ] as const) {
    standIn.on(userUpdate, response);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(dialog.getByRole('alert')).toContainText(message);
    await expect(page.getByText(/^Status changed/)).toHaveCount(0);
  }
  becomes(standIn, { ...user, status: 'BLOCKED' });
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Status changed to BLOCKED')).toBeVisible();
});

// Proves 8.35
test('a toggle of is_active that fails says why beside the button', async ({ page, standIn }) => {
  const user = await openUser(page, standIn, CARDS);
  const card = managementOf(page);
  for (const [response, message] of [
    [{ status: 503, body: { message: 'Try later' } }, 'Try later'],
    [{ cut: true }, 'Failed to update user'],
  ] as const) {
    standIn.on(userUpdate, response);
    await card.getByRole('button', { name: 'Deactivate User' }).click();
    // Whole: 'Failed to update user status' is another sentence.
    await expect(card.getByRole('alert')).toHaveText(
      `${message}We don't know whether the change was made. Check the current state before you try again.`,
    );
    await expect(card.getByText(/was not/)).toHaveCount(0);
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await expect(card.getByRole('alert')).toHaveCount(0);
    await expect(valueOf(page, 'Active')).toHaveText('Yes');
  }
  await card.getByRole('button', { name: 'Deactivate User' }).click();
  await expect(card.getByRole('alert')).toBeVisible();
  becomes(standIn, { ...user, is_active: false });
  await card.getByRole('button', { name: 'Deactivate User' }).click();
  await expect(card.getByRole('button', { name: 'Activate User', exact: true })).toBeVisible();
  await expect(card.getByRole('alert')).toHaveCount(0);
});
