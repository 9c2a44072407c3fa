import { userGet, userUpdate } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { expect, test } from './support/test.ts';
import { managementOf, valueOf } from './support/user-page.ts';

const STATUSES = ['Active', 'Restricted', 'Suspended', 'Blocked'];
/** Where screen readers hear what was done. */
const messagesOf = (page: Page) => page.getByRole('region', { name: 'Messages' });
const dialogOf = (page: Page) => page.getByRole('alertdialog');

// Proves 2.51
test('any status offers the three others, and the current one is disabled', async ({
  page,
  app,
}) => {
  for (const status of ['ACTIVE', 'RESTRICTED', 'SUSPENDED', 'BLOCKED'] as const) {
    const user = await app.rows.user({ status });
    await app.open(`/users/${user.id}`);
    const buttons = managementOf(page).getByRole('button', {
      name: /^(Active|Restricted|Suspended|Blocked)$/,
    });
    await expect(buttons).toHaveText(STATUSES);
    for (const button of await buttons.all()) {
      const isCurrent = (await button.textContent())?.toUpperCase() === status;
      await expect(button).toHaveAttribute('aria-pressed', String(isCurrent));
      if (isCurrent) await expect(button).toBeDisabled();
      else await expect(button).toBeEnabled();
    }
  }
});

// Proves 1.2, 2.156, 2.159, 4.24, 5.30, 7.14
test('a status change asks in the words of the specification, changes once, says so', async ({
  page,
  app,
}) => {
  const user = await app.rows.user();
  const neighbour = await app.rows.user();
  await app.open(`/users/${user.id}`);
  const opener = managementOf(page).getByRole('button', { name: 'Suspended' });
  await opener.click();
  const dialog = dialogOf(page);
  await expect(dialog.getByRole('heading', { name: 'Change User Status' })).toBeVisible();
  await expect(
    dialog.getByText('Are you sure you want to change user status to SUSPENDED?', { exact: true }),
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
  expect(app.callsTo(userUpdate)).toEqual([]);

  await opener.click();
  const held = await app.hold(userUpdate);
  await dialog.getByRole('button', { name: 'Confirm' }).dblclick();
  await expect(dialog.getByRole('button', { name: 'Changing...' })).toHaveAttribute(
    'aria-busy',
    'true',
  );
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  // Where the focus goes is looked at in every frame: never to the body.
  await page.evaluate(() => {
    const look = () => {
      if (document.activeElement === document.body) document.body.dataset['hadFocus'] = '';
      requestAnimationFrame(look);
    };
    look();
  });
  held.release();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Status changed to SUSPENDED')).toBeVisible();
  await expect(opener).toBeDisabled();
  expect(app.callsTo(userUpdate)).toEqual([
    expect.objectContaining({
      method: 'PATCH',
      url: `/api/admin/users/${user.id}`,
      body: { status: 'SUSPENDED' },
    }),
  ]);
  // Its opener is disabled now, so the focus went on to the heading of its card.
  await expect(page.getByRole('heading', { name: 'User Management' })).toBeFocused();
  await expect(page.locator('body')).not.toHaveAttribute('data-had-focus');

  const read = async (id: string) => (await app.meridian.call(userGet, { params: { id } })).user;
  expect(await read(user.id)).toMatchObject({ status: 'SUSPENDED', is_active: true });
  expect(await read(neighbour.id)).toEqual(neighbour);
});

// Proves 2.52, 7.14
test('Activate and Deactivate toggle is_active alone, with the words of what they do', async ({
  page,
  app,
}) => {
  const user = await app.rows.user();
  await app.open(`/users/${user.id}`);
  const held = await app.hold(userUpdate);
  const card = managementOf(page);
  await expect(card.getByRole('button', { name: 'Activate User', exact: true })).toHaveCount(0);
  await card.getByRole('button', { name: 'Deactivate User' }).dblclick();
  await expect(card.getByRole('button', { name: 'Deactivating...' })).toHaveAttribute(
    'aria-busy',
    'true',
  );
  await expect(messagesOf(page)).toBeEmpty();
  held.release();
  await expect(messagesOf(page)).toHaveText('User deactivated');
  await expect(card.getByRole('button', { name: 'Activate User', exact: true })).toBeVisible();
  await expect(valueOf(page, 'Active')).toHaveText('No');
  // The status is independent.
  await expect(card.getByRole('button', { name: 'Active', exact: true })).toBeDisabled();

  await card.getByRole('button', { name: 'Activate User', exact: true }).click();
  await expect(card.getByRole('button', { name: 'Deactivate User' })).toBeVisible();
  await expect(messagesOf(page)).toContainText('User activated');
  expect(app.callsTo(userUpdate).map(({ body }) => body)).toEqual([
    { is_active: false },
    { is_active: true },
  ]);
});
