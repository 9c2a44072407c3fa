import {
  postGet,
  postList,
  postUpdate,
  settingsGet,
  settingsUpdate,
  userGet,
  userList,
  userUpdate,
} from '@meridian/contract';
import type { Page } from '@playwright/test';
import { expect, test } from './support/test.ts';
import { managementOf } from './support/user-page.ts';

/*
 * A second administrator changes what the first has on screen. The first change is refused in the
 * dialog, nothing is overwritten, and the page shows what the second administrator made of it.
 */

const dialogOf = (page: Page) => page.getByRole('alertdialog');

async function confirmAndRead(page: Page, text: string) {
  const dialog = dialogOf(page);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByRole('alert')).toContainText(text);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
}

test('a user that another administrator changed keeps that change', async ({
  signedIn: page,
  meridian,
}) => {
  const { users } = await meridian.call(userList, { query: { status: 'ACTIVE', limit: 1 } });
  const params = { id: users[0]?.id ?? '' };
  await page.goto(`${meridian.url}/users/${params.id}`);
  await managementOf(page).getByRole('button', { name: 'Suspended' }).click();
  await meridian.call(userUpdate, { params, body: { status: 'BLOCKED' } });
  await confirmAndRead(page, 'This user was changed by someone else. Reload and try again.');
  await expect(managementOf(page).getByRole('button', { name: 'Blocked' })).toBeDisabled();
  expect((await meridian.call(userGet, { params })).user.status).toBe('BLOCKED');
  await meridian.call(userUpdate, { params, body: { status: 'ACTIVE' } });
});

test('a post that another administrator changed is neither changed nor deleted', async ({
  signedIn: page,
  meridian,
}) => {
  const { posts } = await meridian.call(postList, { query: { status: 'PENDING', limit: 1 } });
  const params = { id: posts[0]?.id ?? '' };
  const change = (status: 'PENDING' | 'PROCESSING' | 'CANCELLED') =>
    meridian.call(postUpdate, { params, body: { status } });
  await page.goto(`${meridian.url}/posts/${params.id}`);
  await page.getByRole('button', { name: 'Completed' }).click();
  await change('PROCESSING');
  const reason = 'This post was changed by someone else. Reload and try again.';
  await confirmAndRead(page, `Failed to update status: ${reason}`);

  // What is offered now is what the new status allows.
  await expect(page.getByRole('button', { name: 'Pending', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Delete Post' }).click();
  await change('CANCELLED');
  await confirmAndRead(page, `Failed to delete post: ${reason}`);
  await expect(page.getByRole('button', { name: 'Cancel Post' })).toHaveCount(0);
  expect((await meridian.call(postGet, { params })).post.status).toBe('CANCELLED');
  await change('PENDING');
});

test('a switch that another administrator turned is shown as it stands', async ({
  signedIn: page,
  meridian,
}) => {
  await page.goto(`${meridian.url}/settings`);
  const beta = page.getByRole('switch', { name: 'Closed beta' });
  await expect(beta).not.toBeChecked();
  await beta.click();
  await meridian.call(settingsUpdate, { body: { is_closed_beta: true } });
  await confirmAndRead(page, 'The settings were changed by someone else. Reload and try again.');
  await expect(beta).toBeChecked();
  await meridian.call(settingsUpdate, { body: { is_closed_beta: false } });
  expect((await meridian.call(settingsGet)).is_closed_beta).toBe(false);
});

test('a question answers to what was seen when it was asked, however often it is confirmed', async ({
  signedIn: page,
  meridian,
}) => {
  const { users } = await meridian.call(userList, { query: { status: 'ACTIVE', limit: 1 } });
  const user = { id: users[0]?.id ?? '' };
  const { posts } = await meridian.call(postList, { query: { status: 'PENDING', limit: 1 } });
  const post = { id: posts[0]?.id ?? '' };
  const behind = (role: 'switch' | 'button', name: string) =>
    page.getByRole(role, { name, exact: true, includeHidden: true });

  /** The page behind is read again in between: its version is not that of the question. */
  async function confirmTwice(isReadAgain: () => Promise<void>) {
    const button = dialogOf(page).getByRole('button', { name: 'Confirm' });
    for (const _ of ['first', 'second']) {
      const response = page.waitForResponse((one) => one.request().method() === 'PATCH');
      await button.click();
      expect((await response).status()).toBe(412);
      await isReadAgain();
    }
    await dialogOf(page).getByRole('button', { name: 'Cancel' }).click();
  }

  await page.goto(`${meridian.url}/settings`);
  await page.getByRole('switch', { name: 'Closed beta' }).click();
  await meridian.call(settingsUpdate, { body: { is_closed_beta: true } });
  await confirmTwice(() => expect(behind('switch', 'Closed beta')).toBeChecked());
  await meridian.call(settingsUpdate, { body: { is_closed_beta: false } });

  await page.goto(`${meridian.url}/users/${user.id}`);
  await managementOf(page).getByRole('button', { name: 'Suspended' }).click();
  await meridian.call(userUpdate, { params: user, body: { status: 'BLOCKED' } });
  await confirmTwice(() => expect(behind('button', 'Blocked')).toBeDisabled());
  await meridian.call(userUpdate, { params: user, body: { status: 'ACTIVE' } });

  await page.goto(`${meridian.url}/posts/${post.id}`);
  await page.getByRole('button', { name: 'Completed' }).click();
  await meridian.call(postUpdate, { params: post, body: { status: 'CANCELLED' } });
  await confirmTwice(() => expect(behind('button', 'Cancelled')).toBeDisabled());
  await meridian.call(postUpdate, { params: post, body: { status: 'PENDING' } });
});
