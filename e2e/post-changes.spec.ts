import { postCancel, postDelete, postGet, postUpdate } from '@meridian/contract';
import { preload } from './support/navigate.ts';
import { openStoredPost } from './support/post-page.ts';
import { stopClock, tickUntil } from './support/stopped-clock.ts';
import { expect, test } from './support/test.ts';

const TARGETS = [
  ['CANCELLED', ['Pending', 'Processing', 'Completed', 'Failed']],
  ['COMPLETED', []],
  ['FAILED', []],
  ['PENDING', ['Processing', 'Completed', 'Failed', 'Cancelled', 'Cancel Post']],
  ['PROCESSING', ['Pending', 'Completed', 'Failed', 'Cancelled', 'Cancel Post']],
] as const;

// Proves 2.85
test('each status offers the targets of the specification, the current one is pressed', async ({
  page,
  app,
}) => {
  const section = page.getByRole('region', { name: 'Change Status' });
  for (const [status, targets] of TARGETS) {
    await openStoredPost(page, app, { status });
    await expect(section).toBeVisible();
    await expect(section.getByRole('button', { disabled: false })).toHaveText([...targets]);
  }
  const chosen = section.getByRole('button', { pressed: true });
  await expect(chosen).toHaveText(['Processing']);
  await expect(chosen).toBeDisabled();
  await expect(chosen.locator('svg')).toBeVisible();
  await expect(chosen).toHaveCSS('opacity', '1');
  const fill = await chosen.evaluate((button) => getComputedStyle(button).backgroundColor);
  await expect(section.getByRole('button', { name: 'Pending' })).not.toHaveCSS(
    'background-color',
    fill,
  );
  // The button that deletes is louder than the one that cancels.
  await expect(page.getByRole('button', { name: 'Cancel Post' })).not.toHaveClass(/bg-danger-fill/);
  await expect(page.getByRole('button', { name: 'Delete Post' })).toHaveClass(/bg-danger-fill/);
});

// Proves 4.9, 4.10, 7.21, 8.52
test('a status change asks, changes, says so and reads the post again', async ({ page, app }) => {
  const post = await openStoredPost(page, app);
  await expect(page.getByText("You'll be asked to confirm.")).toBeVisible();
  await page.getByRole('button', { name: 'Completed' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('Change post status from PENDING to COMPLETED?');
  await expect(dialog.getByText(`@${post.user?.handle}`)).toBeVisible();
  await expect(dialog.getByText('20 Nov 2096, 18:00')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  expect(app.callsTo(postUpdate)).toEqual([]);

  await page.getByRole('button', { name: 'Completed' }).click();
  const held = await app.hold(postUpdate);
  const confirm = dialog.getByRole('button').nth(1);
  await expect(confirm).toHaveAccessibleName('Confirm');
  const width = await confirm.evaluate((button: HTMLElement) => button.offsetWidth);
  await confirm.click();
  await expect(confirm).toHaveAccessibleName('Changing...');
  await expect(confirm).toHaveJSProperty('offsetWidth', width);
  held.release();
  await expect(page.getByText('Status changed to COMPLETED')).toBeVisible();
  expect(app.callsTo(postUpdate).map(({ body }) => body)).toEqual([{ status: 'COMPLETED' }]);
  const section = page.getByRole('region', { name: 'Change Status' });
  await expect(section.getByRole('button')).toHaveCount(0);
  const stored = await app.meridian.call(postGet, { params: { id: post.id } });
  expect(stored.post.status).toBe('COMPLETED');
});

// Proves 7.23
test('Cancel Post says what each button does, and uses its own call', async ({ page, app }) => {
  const post = await openStoredPost(page, app, {
    status: 'PROCESSING',
    user: { display_name: 'M'.repeat(200) },
  });
  await page.getByRole('button', { name: 'Cancel Post' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Cancel Post' });
  await expect(dialog).toContainText(
    "Confirm cancels the post: it won't be published. Cancel keeps it as it is.",
  );
  await expect(dialog.getByText('M'.repeat(200))).toBeVisible();
  await expect(dialog.getByText(`@${post.user?.handle}`)).toBeVisible();
  // Wrapped, not cut.
  const isCut = await dialog.evaluate((box) =>
    [...box.querySelectorAll('p, p *')].some((part) => part.scrollWidth > part.clientWidth + 1),
  );
  expect(isCut).toBe(false);
  await expect(dialog.getByRole('button')).toHaveText([/^Cancel/, /Confirm/]);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Status changed to CANCELLED')).toBeVisible();
  expect(app.callsTo(postCancel)).toHaveLength(1);
  expect(app.callsTo(postUpdate)).toHaveLength(0);
});

// Proves 1.3, 2.86, 2.158, 4.13, 4.14, 5.26, 7.22, 8.53, 9.13
test('deleting asks, deletes once, says so and returns to the list after 1.5 seconds', async ({
  page,
  app,
}) => {
  await page.clock.install();
  const post = await openStoredPost(page, app);
  await preload(page, '/posts');
  const held = await app.hold(postDelete);
  await page
    .getByRole('region', { name: 'Danger Zone' })
    .getByRole('button', { name: 'Delete Post' })
    .click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText(
    'Are you sure you want to delete this post? This action cannot be undone.',
  );
  await expect(dialog.getByText(`@${post.user?.handle}`)).toBeVisible();
  const danger = dialog.getByRole('button').nth(1);
  await expect(danger).toHaveClass(/bg-danger-fill/);
  await danger.dblclick();
  await expect(danger).toHaveAccessibleName('Deleting...');
  await stopClock(page);
  held.release();
  await tickUntil(page, () => page.getByText('Post deleted successfully').isVisible());
  expect(app.callsTo(postDelete)).toHaveLength(1);
  // Nothing is left to press.
  const buttons = page.getByRole('main').getByRole('button', {
    name: /^(Pending|Processing|Completed|Failed|Cancelled|Cancel Post|Delete Post)$/,
  });
  await expect(buttons).toHaveCount(7);
  for (const button of await buttons.all()) await expect(button).toBeDisabled();
  await page.clock.runFor(1400);
  await expect(page.getByText('Post not found')).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`/posts/${post.id}$`));
  await page.clock.runFor(200);
  await expect(page).toHaveURL(/\/posts$/);

  // Nor to come back to.
  await tickUntil(page, () => page.getByText('No posts found').isVisible());
  await page.goBack();
  await tickUntil(page, () => page.getByText('Post not found').isVisible());
  await expect(page.getByText(post.content)).toHaveCount(0);
});

test('a question is withdrawn when Back leaves its page', async ({ page, app }) => {
  const post = await app.rows.post();
  await app.open('/posts');
  await page.getByRole('link', { name: post.content }).click();
  await page.getByRole('button', { name: 'Delete Post' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Scheduled Posts' })).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(page.getByRole('link', { name: post.content })).toBeFocused();
  expect(app.callsTo(postDelete)).toEqual([]);
});

test('deleting returns to the list it came from, with its filters, or to the whole one', async ({
  page,
  app,
}) => {
  const user = await app.rows.posts(2);
  const deleteIt = async (content: string) => {
    await page.getByRole('link', { name: content }).click();
    await page.getByRole('button', { name: 'Delete Post' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
  };
  await app.open('/posts?status=PENDING&sort=created_at');
  await deleteIt('Post number 1');
  await expect(page).toHaveURL(`${app.url}/posts?status=PENDING&sort=created_at`);
  await expect(page.getByRole('link', { name: 'Post number 1' })).toHaveCount(0);

  // From the page of the user there was no list.
  await page.getByRole('link', { name: user.handle }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Scheduled Posts');
  await deleteIt('Post number 2');
  await expect(page).toHaveURL(`${app.url}/posts`);
});
