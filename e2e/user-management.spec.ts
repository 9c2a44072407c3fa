import { userGet, userList, userUpdate } from '@meridian/contract';
import type { User } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { gate } from './support/gate.ts';
import { sampleUser } from './support/samples.ts';
import type { StandIn } from './support/stand-in.ts';
import { expect, test } from './support/test.ts';
import { managementOf, openUser, valueOf } from './support/user-page.ts';

const CARDS = { assignments: [], posts: [] };
/** Where screen readers hear what was done. */
const messagesOf = (page: Page) => page.getByRole('region', { name: 'Messages' });
const dialogOf = (page: Page) => page.getByRole('alertdialog');

/** From now on the server has changed the user so. */
function becomes(standIn: StandIn, user: User) {
  standIn.on(userUpdate, { body: { user } }).on(userGet, { body: { user } });
}

test.describe('setting a status', () => {
  for (const [status, label] of [
    ['ACTIVE', 'Active'],
    ['RESTRICTED', 'Restricted'],
    ['SUSPENDED', 'Suspended'],
    ['BLOCKED', 'Blocked'],
  ] as const) {
    test(`${status} offers the three others`, async ({ page, standIn }) => {
      await openUser(page, standIn, { user: sampleUser({ status }), ...CARDS });
      const buttons = managementOf(page).getByRole('button', {
        name: /^(Active|Restricted|Suspended|Blocked)$/,
      });
      await expect(buttons).toHaveText(['Active', 'Restricted', 'Suspended', 'Blocked']);
      for (const button of await buttons.all()) {
        const isCurrent = (await button.textContent()) === label;
        await expect(button).toHaveAttribute('aria-pressed', String(isCurrent));
        if (isCurrent) await expect(button).toBeDisabled();
        else await expect(button).toBeEnabled();
      }
    });
  }

  test('asks in the words of the specification, changes once, says so', async ({
    page,
    standIn,
  }) => {
    const user = await openUser(page, standIn, CARDS);
    const opener = managementOf(page).getByRole('button', { name: 'Suspended' });
    await opener.click();
    const dialog = dialogOf(page);
    await expect(dialog.getByRole('heading', { name: 'Change User Status' })).toBeVisible();
    await expect(
      dialog.getByText('Are you sure you want to change user status to SUSPENDED?', {
        exact: true,
      }),
    ).toBeVisible();
    await expect(dialog).toContainText(
      `${user.display_name} (@${user.handle}) changes from Active to Suspended.`,
    );
    // The safe choice has the focus; leaving changes nothing and returns to the opener.
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
    await opener.click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    expect(standIn.callsTo(userUpdate)).toEqual([]);

    await opener.click();
    const answer = gate();
    becomes(standIn, { ...user, status: 'SUSPENDED' });
    standIn.on(userUpdate, { body: { user }, until: answer.opened });
    await dialog.getByRole('button', { name: 'Confirm' }).dblclick();
    await expect(dialog.getByRole('button', { name: 'Changing...' })).toHaveAttribute(
      'aria-busy',
      'true',
    );
    await page.keyboard.press('Escape');
    await expect(dialog).toBeVisible();
    answer.open();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('Status changed to SUSPENDED')).toBeVisible();
    await expect(opener).toBeDisabled();
    expect(standIn.callsTo(userUpdate)).toEqual([
      expect.objectContaining({
        method: 'PATCH',
        url: `/api/admin/users/${user.id}`,
        body: { status: 'SUSPENDED' },
      }),
    ]);
    // Its opener is disabled now, so the focus went on to the heading of its card.
    await expect(page.getByRole('heading', { name: 'User Management' })).toBeFocused();
  });

  for (const [what, answer, message] of [
    [
      'the reason',
      { status: 409, body: { message: 'Changed by another administrator' } },
      'Changed by another administrator',
    ],
    ['its own words', { cut: true }, 'Failed to update user status'],
  ] as const) {
    test(`that fails says ${what} in the dialog, and can be repeated`, async ({
      page,
      standIn,
    }) => {
      const user = await openUser(page, standIn, CARDS);
      standIn.on(userUpdate, answer);
      await managementOf(page).getByRole('button', { name: 'Blocked' }).click();
      const dialog = dialogOf(page);
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await expect(dialog.getByRole('alert')).toContainText(message);
      await expect(page.getByText(/^Status changed/)).toHaveCount(0);
      becomes(standIn, { ...user, status: 'BLOCKED' });
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await expect(page.getByText('Status changed to BLOCKED')).toBeVisible();
    });
  }
});

test.describe('activating and deactivating', () => {
  test('toggles is_active alone, with the words of what it would do', async ({ page, standIn }) => {
    const user = await openUser(page, standIn, CARDS);
    const answer = gate();
    const inactive = { ...user, is_active: false };
    standIn
      .on(userUpdate, { body: { user: inactive }, until: answer.opened })
      .on(userGet, { body: { user: inactive } });
    const card = managementOf(page);
    await expect(card.getByRole('button', { name: 'Activate User', exact: true })).toHaveCount(0);
    await card.getByRole('button', { name: 'Deactivate User' }).dblclick();
    await expect(card.getByRole('button', { name: 'Deactivating...' })).toHaveAttribute(
      'aria-busy',
      'true',
    );
    await expect(messagesOf(page)).toBeEmpty();
    answer.open();
    await expect(messagesOf(page)).toHaveText('User deactivated');
    await expect(card.getByRole('button', { name: 'Activate User', exact: true })).toBeVisible();
    await expect(valueOf(page, 'Active')).toHaveText('No');
    // The status is another matter.
    await expect(card.getByRole('button', { name: 'Active', exact: true })).toBeDisabled();

    becomes(standIn, user);
    await card.getByRole('button', { name: 'Activate User', exact: true }).click();
    await expect(card.getByRole('button', { name: 'Deactivate User' })).toBeVisible();
    await expect(messagesOf(page)).toContainText('User activated');
    expect(standIn.callsTo(userUpdate).map(({ body }) => body)).toEqual([
      { is_active: false },
      { is_active: true },
    ]);
  });

  for (const [what, answer, message] of [
    ['the reason', { status: 503, body: { message: 'Try later' } }, 'Try later'],
    ['its own words', { cut: true }, 'Failed to update user'],
  ] as const) {
    test(`that fails says ${what} beside the button`, async ({ page, standIn }) => {
      const user = await openUser(page, standIn, CARDS);
      standIn.on(userUpdate, answer);
      const card = managementOf(page);
      await card.getByRole('button', { name: 'Deactivate User' }).click();
      await expect(card.getByRole('alert')).toContainText(message);
      await expect(card.getByText(/was not/)).toHaveCount(0);
      await card.getByRole('button', { name: 'Dismiss' }).click();
      await expect(card.getByRole('alert')).toHaveCount(0);
      await card.getByRole('button', { name: 'Deactivate User' }).click();
      await expect(card.getByRole('alert')).toContainText(message);
      await expect(valueOf(page, 'Active')).toHaveText('Yes');
      becomes(standIn, { ...user, is_active: false });
      await card.getByRole('button', { name: 'Deactivate User' }).click();
      await expect(card.getByRole('button', { name: 'Activate User', exact: true })).toBeVisible();
      await expect(card.getByRole('alert')).toHaveCount(0);
    });
  }
});

test('on the real server a status changes, and only that user', async ({
  signedIn: page,
  meridian,
}) => {
  const { users } = await meridian.call(userList, { query: { status: 'ACTIVE', limit: 2 } });
  const [user, neighbour] = users;
  expect(user?.id).not.toBe(neighbour?.id);
  await page.goto(`${meridian.url}/users/${user?.id}`);
  await managementOf(page).getByRole('button', { name: 'Restricted' }).click();
  await dialogOf(page).getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Status changed to RESTRICTED')).toBeVisible();
  const read = async (id = '') => (await meridian.call(userGet, { params: { id } })).user;
  expect(await read(user?.id)).toMatchObject({ status: 'RESTRICTED', is_active: user?.is_active });
  expect(await read(neighbour?.id)).toEqual(neighbour);
  await meridian.call(userUpdate, { params: { id: user?.id ?? '' }, body: { status: 'ACTIVE' } });
});
