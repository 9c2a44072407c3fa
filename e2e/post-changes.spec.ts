import {
  assignmentList,
  postCancel,
  postDelete,
  postGet,
  postList,
  postUpdate,
  userGet,
  userPosts,
} from '@meridian/contract';
import { gate } from './support/gate.ts';
import { openPost } from './support/post-page.ts';
import { samplePost, samplePosts, sampleUser } from './support/samples.ts';
import { stopClock, tickUntil } from './support/stopped-clock.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

test.describe('changing a status', () => {
  const TARGETS: [string, string[]][] = [
    ['PENDING', ['Processing', 'Completed', 'Failed', 'Cancelled']],
    ['PROCESSING', ['Pending', 'Completed', 'Failed', 'Cancelled']],
    ['CANCELLED', ['Pending', 'Processing', 'Completed', 'Failed']],
    ['COMPLETED', []],
    ['FAILED', []],
  ];
  for (const [status, targets] of TARGETS) {
    test(`${status} offers ${targets.join(', ') || 'nothing'}`, async ({ page, standIn }) => {
      await openPost(page, standIn, samplePost({ status }));
      const section = page.getByRole('region', { name: 'Change Status' });
      await expect(section).toBeVisible();
      const cancels = status === 'PENDING' || status === 'PROCESSING' ? ['Cancel Post'] : [];
      // The status in force is among the buttons as the pressed one, and no target.
      const offered = section.getByRole('button', { disabled: false });
      await expect(offered).toHaveText([...targets, ...cancels]);
    });
  }

  test('the status in force reads as chosen, and cannot be pressed', async ({ page, standIn }) => {
    await openPost(page, standIn, samplePost({ status: 'PROCESSING' }));
    const section = page.getByRole('region', { name: 'Change Status' });
    const chosen = section.getByRole('button', { pressed: true });
    await expect(chosen).toHaveText(['Processing']);
    await expect(chosen).toBeDisabled();
    await expect(chosen.locator('svg')).toBeVisible();
    await expect(section.getByRole('button', { pressed: false })).toHaveText([
      'Pending',
      'Completed',
      'Failed',
      'Cancelled',
      'Cancel Post',
    ]);
    await expect(chosen).toHaveCSS('opacity', '1');
    const fill = await chosen.evaluate((button) => getComputedStyle(button).backgroundColor);
    const other = section.getByRole('button', { name: 'Pending' });
    await expect(other).not.toHaveCSS('background-color', fill);
  });

  test('asks, changes, says so and reads the post again', async ({ page, standIn }) => {
    const post = samplePost();
    await openPost(page, standIn, post);
    await expect(page.getByText("You'll be asked to confirm.")).toBeVisible();
    await page.getByRole('button', { name: 'Completed' }).click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog).toContainText('Change post status from PENDING to COMPLETED?');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    expect(standIn.callsTo(postUpdate)).toEqual([]);

    await page.getByRole('button', { name: 'Completed' }).click();
    const changed = { ...post, status: 'COMPLETED' };
    standIn.on(postUpdate, { body: { post: changed } }).on(postGet, { body: { post: changed } });
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText('Status changed to COMPLETED')).toBeVisible();
    expect(standIn.callsTo(postUpdate).map(({ body }) => body)).toEqual([{ status: 'COMPLETED' }]);
    await expect(
      page.getByRole('region', { name: 'Change Status' }).getByRole('button'),
    ).toHaveCount(0);
  });

  test('that fails says why, in the dialog, and leaves the post alone', async ({
    page,
    standIn,
  }) => {
    await openPost(page, standIn, samplePost());
    standIn.on(postUpdate, { status: 409, body: { message: 'It is running' } });
    await page.getByRole('button', { name: 'Failed', exact: true }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Failed to update status: It is running');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
  });

  test('refused because of its state shows how the post stands now', async ({ page, standIn }) => {
    const post = samplePost();
    await openPost(page, standIn, post);
    standIn
      .on(postUpdate, { status: 409, body: { message: 'It is completed' } })
      .on(postGet, { body: { post: { ...post, status: 'COMPLETED' } } });
    await page.getByRole('button', { name: 'Failed', exact: true }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Failed to update status: It is completed');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(
      page.getByRole('region', { name: 'Information' }).getByText('Completed'),
    ).toBeVisible();
    const section = page.getByRole('region', { name: 'Change Status' });
    await expect(section.getByRole('button')).toHaveCount(0);
  });

  test('says whose post it is, and what it is at', async ({ page, standIn }) => {
    const post = samplePost();
    await openPost(page, standIn, post);
    const [change, deletion] = [gate(), gate()];
    standIn
      .on(postUpdate, { body: { post }, until: change.opened })
      .on(postDelete, { body: { success: true }, until: deletion.opened });
    const dialog = page.getByRole('alertdialog');
    for (const [opener, working, answer] of [
      ['Completed', 'Changing...', change],
      ['Delete Post', 'Deleting...', deletion],
    ] as const) {
      await page.getByRole('button', { name: opener }).click();
      await expect(dialog.getByText(`@${post.user?.handle}`)).toBeVisible();
      await expect(dialog.getByText('20 Nov 2026, 18:00')).toBeVisible();
      const confirm = dialog.getByRole('button').nth(1);
      await expect(confirm).toHaveAccessibleName('Confirm');
      const width = await confirm.evaluate((button: HTMLElement) => button.offsetWidth);
      await confirm.click();
      await expect(confirm).toHaveAccessibleName(working);
      await expect(confirm).toHaveJSProperty('offsetWidth', width);
      answer.open();
      await expect(dialog).toBeHidden();
    }
  });

  test('the button that deletes is louder than the one that cancels', async ({ page, standIn }) => {
    await openPost(page, standIn, samplePost());
    await expect(page.getByRole('button', { name: 'Cancel Post' })).not.toHaveClass(
      /bg-danger-fill/,
    );
    await expect(page.getByRole('button', { name: 'Delete Post' })).toHaveClass(/bg-danger-fill/);
  });

  test('Cancel Post says what each button does, and to whom', async ({ page, standIn }) => {
    const post = samplePost();
    const user = post.user && { ...post.user, display_name: 'M'.repeat(200) };
    await openPost(page, standIn, { ...post, user });
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
  });

  test('Cancel Post uses its own call', async ({ page, standIn }) => {
    const post = samplePost({ status: 'PROCESSING' });
    await openPost(page, standIn, post);
    standIn.on(postCancel, { body: { post: { ...post, status: 'CANCELLED' } } });
    await page.getByRole('button', { name: 'Cancel Post' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText('Status changed to CANCELLED')).toBeVisible();
    expect(standIn.callsTo(postCancel)).toHaveLength(1);
    expect(standIn.callsTo(postUpdate)).toHaveLength(0);
  });
});

test.describe('deleting', () => {
  test('asks, deletes once, says so and returns to the list after 1.5 seconds', async ({
    page,
    standIn,
  }) => {
    await page.clock.install();
    const post = samplePost();
    standIn.on(postList, { body: { posts: [], total: 0 } });
    await openPost(page, standIn, post);
    const slow = gate();
    standIn.on(postDelete, { body: { success: true }, until: slow.opened });
    await page
      .getByRole('region', { name: 'Danger Zone' })
      .getByRole('button', { name: 'Delete Post' })
      .click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog).toContainText(
      'Are you sure you want to delete this post? This action cannot be undone.',
    );
    const danger = dialog.getByRole('button', { name: 'Confirm' });
    await expect(danger).toHaveClass(/bg-danger-fill/);
    await danger.dblclick();
    await stopClock(page);
    slow.open();
    await tickUntil(page, () => page.getByText('Post deleted successfully').isVisible());
    expect(standIn.callsTo(postDelete)).toHaveLength(1);
    await page.clock.runFor(1400);
    await expect(page).toHaveURL(new RegExp(`/posts/${post.id}$`));
    await page.clock.runFor(200);
    await expect(page).toHaveURL(/\/posts$/);
  });

  test('returns to the list it came from, with its filters', async ({ page, standIn }) => {
    const [post] = samplePosts(1);
    standIn
      .on(postList, { body: { posts: [post], total: 1 } })
      .on(postGet, { body: { post: samplePost() } })
      .on(postDelete, { body: { success: true } });
    await visit(page, standIn, '/posts?status=PENDING&sort=created_at');
    await page.getByRole('link', { name: 'Post number 1' }).click();
    await page.getByRole('button', { name: 'Delete Post' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
    await expect(page).toHaveURL(`${standIn.url}/posts?status=PENDING&sort=created_at`);
  });

  test('returns to the whole list when it came from elsewhere', async ({ page, standIn }) => {
    const [post] = samplePosts(1);
    standIn
      .on(postList, { body: { posts: [post], total: 1 } })
      .on(postGet, { body: { post: samplePost() } })
      .on(userGet, { body: { user: sampleUser() } })
      .on(userPosts, { body: { posts: [post], total: 1 } })
      .on(assignmentList, { body: { assignments: [] } })
      .on(postDelete, { body: { success: true } });
    await visit(page, standIn, '/posts?status=PENDING');
    await page.getByRole('row').nth(1).getByRole('link').first().click();
    await page.getByRole('link', { name: 'Post number 1' }).click();
    await page.getByRole('button', { name: 'Delete Post' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
    await expect(page).toHaveURL(`${standIn.url}/posts`);
  });

  test('leaves nothing to press, and nothing to come back to', async ({ page, standIn }) => {
    await page.clock.install();
    const post = samplePost();
    standIn.on(postList, { body: { posts: [], total: 0 } });
    await openPost(page, standIn, post);
    standIn
      .on(postDelete, { body: { success: true } })
      .on(postGet, { status: 404, body: { message: 'Post not found' } });
    await page.getByRole('button', { name: 'Delete Post' }).click();
    await stopClock(page);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
    await tickUntil(page, () => page.getByText('Post deleted successfully').isVisible());
    const buttons = page.getByRole('main').getByRole('button', {
      name: /^(Pending|Processing|Completed|Failed|Cancelled|Cancel Post|Delete Post)$/,
    });
    await expect(buttons).toHaveCount(7);
    for (const button of await buttons.all()) await expect(button).toBeDisabled();

    await page.clock.runFor(1600);
    await expect(page).toHaveURL(/\/posts$/);
    await page.goBack();
    await tickUntil(page, () => page.getByText('Post not found').isVisible());
    await expect(page.getByText(post.content)).toHaveCount(0);
  });

  test('that fails says why and stays', async ({ page, standIn }) => {
    await openPost(page, standIn, samplePost());
    standIn.on(postDelete, { status: 409, body: { message: 'It is being published' } });
    await page.getByRole('button', { name: 'Delete Post' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(dialog.getByRole('alert')).toHaveText(
      'Failed to delete post: It is being published',
    );
  });
});
