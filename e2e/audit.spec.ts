import { auditList, userUpdate } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { timed } from './support/screen-times.ts';
import { AMONG_MANY } from './support/story-posts.ts';
import { expect, expectAccessible, test } from './support/test.ts';
import { managementOf } from './support/user-page.ts';

const HOSTILE = 'Spam\u202e <img src=x onerror=alert(1)>';
const historyOf = (page: Page) => page.getByRole('region', { name: 'History' });
const tableOf = (page: Page) => page.getByRole('table', { name: 'Audit log' });

test(
  'a status change is explained, found in the history and the log, and reversed',
  AMONG_MANY,
  async ({ page, app }) => {
    const user = await app.rows.user();
    await app.open(`/users/${user.id}`);
    await managementOf(page).getByRole('button', { name: 'Blocked' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('textbox', { name: 'Reason (optional)' }).fill(HOSTILE);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText('Status changed to BLOCKED')).toBeVisible();
    // The body is the one of the specification.
    expect(app.callsTo(userUpdate).map(({ body }) => body)).toEqual([{ status: 'BLOCKED' }]);

    // Read when it is opened, by keyboard.
    expect(app.callsTo(auditList)).toEqual([]);
    const entry = historyOf(page).getByRole('row').nth(1);
    await timed('Audit log: history of a user', async () => {
      await historyOf(page).getByRole('button', { name: 'Show History' }).press('Enter');
      await expect(entry).toContainText('Changed user');
    });
    await expect(entry).toContainText('status: ACTIVE → BLOCKED');
    // As it is read aloud.
    await expect(entry.getByRole('cell', { name: 'status: ACTIVE → BLOCKED' })).toBeVisible();
    await expect(entry).toContainText('1 hidden character');
    await expectAccessible(page);

    await page.getByRole('link', { name: 'Audit Log' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Audit Log');
    await timed('Audit log: entries about a user', async () => {
      await page.getByRole('searchbox', { name: 'Object ID' }).fill(user.id);
      await expect(tableOf(page).getByRole('row')).toHaveCount(2);
    });
    const row = tableOf(page).getByRole('row').nth(1);
    await row.getByRole('button', { name: /^Details/ }).click();
    const details = page.getByRole('dialog');
    await expect(details).toContainText('127.0.0.1');
    await expect(details.getByRole('table', { name: 'Before and after' })).toContainText('BLOCKED');
    await expect(details).toContainText('Can be reversed');
    await expectAccessible(page);
    await page.keyboard.press('Escape');

    await row.getByRole('button', { name: /^Reverse/ }).click();
    await expect(dialog).toContainText('status: BLOCKED → ACTIVE');
    await dialog.getByRole('button', { name: 'Reverse' }).click();
    await expect(page.getByText(/^Entry \d+ reversed$/)).toBeVisible();
    await expect(tableOf(page).getByRole('row')).toHaveCount(3);
    await expect(tableOf(page).getByRole('row').nth(1)).toContainText(/Reason: Reverses entry \d+/);
    await expect(tableOf(page).getByRole('row').nth(2)).toContainText(/Superseded by entry \d+/);
    await tableOf(page)
      .getByRole('link', { name: `User ${user.id}` })
      .first()
      .click();
    await expect(managementOf(page).getByRole('button', { name: 'Active' })).toBeDisabled();
  },
);

test(
  'the log is filtered by the address, and says why an entry is final',
  AMONG_MANY,
  async ({ page, app }) => {
    const post = await app.rows.post();
    await app.open(`/posts/${post.id}`);
    await page.getByRole('button', { name: 'Delete Post' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Scheduled Posts');
    await page.setViewportSize({ width: 360, height: 740 });
    await app.open(`/audit?entity=post&entityId=${post.id}&action=postDelete`);
    const row = tableOf(page).getByRole('row').nth(1);
    await expect(row).toContainText('Final');
    await expect(row).toContainText('A deleted post cannot be restored: its text was not kept.');
    await expect(row.getByRole('button', { name: /^Reverse/ })).toHaveCount(0);
    await expectAccessible(page);
    await app.open('/audit?actor=no-such-name');
    await expect(page.getByText('No entries found')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(tableOf(page).getByRole('row').nth(1)).toBeVisible();
  },
);
