import { bulkGet, bulkPreview, bulkStart } from '@meridian/contract';
import { sql } from '../server/src/db/sql.ts';
import { timed } from './support/screen-times.ts';
import { AMONG_MANY } from './support/story-posts.ts';
import { expect, expectAccessible, test } from './support/test.ts';

const COUNTED_IN_PART = { total: 1_000, totalIsCapped: true };
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

test('the first selection is read out: the live region is there before its words', async ({
  page,
  app,
}) => {
  await app.rows.posts(2, { content: 'Again', latest: tomorrow() });
  await app.open('/posts?status=PENDING');
  const wordsAtFirst = page.evaluate(
    () =>
      new Promise((resolve) => {
        new MutationObserver(() => {
          const region = document.querySelector('[aria-label="Selection"] output');
          if (region !== null) resolve(region.textContent);
        }).observe(document.body, { childList: true });
      }),
  );
  await page
    .getByRole('checkbox', { name: /^Select / })
    .nth(1)
    .check();
  expect(await wordsAtFirst).toBe('');
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('1 selected');
});

test(
  '41 posts of a runaway account are cancelled by one bulk change, seen through to its result',
  AMONG_MANY,
  async ({ page, app }) => {
    const user = await app.rows.user({ handle: 'runaway.test' });
    await app.rows.posts(41, { content: 'Again and again', latest: tomorrow() }, user);
    await app.rows.post({ user, status: 'COMPLETED', content: 'Out already' });
    const list = page.getByRole('table', { name: 'Scheduled posts' });
    const boxes = list.getByRole('checkbox', { name: /^Select runaway/ });
    const bar = page.getByRole('region', { name: 'Selection' });
    await timed('Act on many: posts of a person', async () => {
      await app.open(`/posts?status=PENDING&userId=${user.id}`);
      await expect(boxes).toHaveCount(20);
    });

    // By keyboard, then a range, then the page, then all that match.
    await boxes.nth(1).focus();
    await page.keyboard.press('Space');
    await expect(bar.getByText('1 selected')).toBeVisible();
    // The pointer on it does not take its color.
    const chosen = list.getByRole('row', { name: /Again and again 2 / });
    const color = await chosen.evaluate((row) => getComputedStyle(row).backgroundColor);
    await chosen.hover();
    await expect(chosen).toHaveCSS('background-color', color);
    // The bar covers nothing at the end of the page.
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('link', { name: 'Next' }).click({ trial: true });
    await page.setViewportSize({ width: 1440, height: 900 });
    await boxes.nth(4).click({ modifiers: ['Shift'] });
    await expect(bar.getByText('4 selected')).toBeVisible();
    await list.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await expect(bar.getByText('20 selected')).toBeVisible();
    await bar.getByRole('button', { name: 'Select all 41 that match' }).click();
    await expect(bar.getByText('All 41 posts that match')).toBeVisible();
    await expectAccessible(page);

    await bar.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Cancel', exact: true }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Cancel 41 posts' });
    await expect(dialog).toContainText('41 posts will be cancelled and not published.');
    await expect(dialog.getByRole('list', { name: 'Examples' }).getByRole('listitem')).toHaveCount(
      6,
    );
    await expectAccessible(page);

    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(dialog.getByRole('textbox', { name: 'Type 41 to confirm' })).toHaveAttribute(
      'aria-invalid',
      'true',
    );
    await expect(dialog.getByRole('textbox', { name: 'Type 41 to confirm' })).toBeFocused();
    expect(app.callsTo(bulkStart)).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Type 41 to confirm' }).fill('41');
    await dialog.getByRole('textbox', { name: 'Reason (optional)' }).fill('A script ran away');

    // One more arrives: the difference is shown, and asked again.
    await app.rows.post({ user, scheduled_at: tomorrow() });
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    const again = page.getByRole('alertdialog', { name: 'Cancel 42 posts' });
    await expect(again).toContainText('The set has changed: 1 row added, 0 removed. 42 match now.');
    await again.getByRole('textbox', { name: 'Type 42 to confirm' }).fill('42');
    await again.getByRole('button', { name: 'Confirm' }).dblclick();
    await expect(again).toHaveCount(0);
    await expect(bar).toHaveCount(0);
    expect(app.callsTo(bulkPreview)).toHaveLength(2);
    expect(app.callsTo(bulkStart)).toHaveLength(2);

    // The list behind follows by itself.
    await expect(page.getByText('No posts found')).toBeVisible({ timeout: 60_000 });
    await page.getByRole('link', { name: 'Jobs' }).click();
    await page.getByRole('link', { name: 'Cancel 42 posts' }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cancel 42 posts');
    await expect(page.getByRole('main').getByText('42 of 42')).toBeVisible();
    await expect(page.getByText('A script ran away')).toBeVisible();
    await expectAccessible(page);
    await page.emulateMedia({ forcedColors: 'active' });
    await expect(page.getByRole('progressbar', { name: 'Progress' })).toHaveCSS(
      'forced-color-adjust',
      'none',
    );
    await page.emulateMedia({ forcedColors: null });
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Result as CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^job-.+\.csv$/);
    await page.reload();
    await expect(page.getByText('42 of 42')).toBeVisible();
    expect(app.callsTo(bulkGet).length).toBeGreaterThan(0);
  },
);

test('where the list stops counting, the selection does not promise a whole number', async ({
  page,
  app,
}) => {
  const user = await app.rows.posts(21);
  await page.route('**/api/admin/posts?*', async (route) => {
    const response = await route.fetch();
    const json: unknown = await response.json();
    await route.fulfill({ response, json: Object.assign({}, json, COUNTED_IN_PART) });
  });
  await app.open(`/posts?userId=${user.id}`);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.getByRole('button', { name: 'Select all 1,000+ that match' }).click();
  await expect(bar.getByText('All 1,000+ posts that match')).toBeVisible();
});

test('failed posts are retried from the list, each as a new post', async ({ page, app }) => {
  const user = await app.rows.user({ handle: 'harbour.test' });
  await app.rows.engine.fail(user, { cause: 'host_down', error: 'HTTP 502', count: 2 });
  await app.rows.post({ user, status: 'FAILED', content: 'Au bord', languages: ['fr'] });
  await app.open('/posts?status=FAILED');
  const list = page.getByRole('table', { name: 'Scheduled posts' });
  await list.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Retry' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Retry 3 posts' });
  await expect(dialog.getByRole('listitem')).toHaveCount(3);
  // It is read out in its language; the others have none.
  await expect(dialog.locator('[lang]')).toHaveText(['@harbour.test: Au bord']);
  await expect(dialog.locator('[lang]')).toHaveAttribute('lang', 'fr');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Started: Retry 3 posts')).toBeVisible();
  await app.open('/posts?status=PENDING');
  await expect(list.getByText(/^Failed post [12]$/)).toHaveCount(2, { timeout: 60_000 });
  // That of an unknown cause cannot be.
  await page.getByRole('link', { name: 'Jobs' }).click();
  const job = page.getByRole('row', { name: /^Retry 3 posts/ });
  await expect(job.getByRole('cell', { name: '3 of 3, 1 skipped' })).toBeVisible();
});

test('a preview that has expired is made again, and confirmed by a second press', async ({
  page,
  app,
}) => {
  await app.rows.posts(2, { content: 'Again', latest: tomorrow() });
  await app.open('/posts?status=PENDING');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Cancel', exact: true }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Cancel 2 posts' });
  await dialog.getByLabel(/Reason/).fill('Posted by mistake');
  await app.rows.execute(sql`delete from bulk_changes where state = 'PREVIEWED'`);
  const confirm = dialog.getByRole('button', { name: 'Confirm' });
  await confirm.click();
  await expect(dialog.getByText('This preview has expired. Look again')).toBeVisible();
  await expect(dialog.getByLabel(/Reason/)).toHaveValue('Posted by mistake');
  await confirm.click();
  await expect(page.getByText('Started: Cancel 2 posts')).toBeVisible();
});

test('the consequence stands under the question', async ({ page, app }) => {
  const user = await app.rows.user({ handle: 'busy.test' });
  await app.rows.post({ user });
  await app.open(`/users/${user.id}`);
  await page.getByRole('button', { name: 'Blocked' }).click();
  await expect(page.getByRole('alertdialog')).toContainText(
    '1 scheduled post will not be published meanwhile.',
  );
});

test('a preview that fails says that nothing was changed, and nothing else', async ({
  page,
  app,
}) => {
  await app.rows.posts(2, { content: 'Again', latest: tomorrow() });
  await app.open('/posts?status=PENDING');
  await page
    .getByRole('checkbox', { name: /^Select / })
    .nth(1)
    .press('Space');
  await page.route(`**${bulkPreview.path}`, (route) => route.fulfill({ status: 503, json: {} }));
  await page.getByRole('button', { name: 'Actions' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Cancel', exact: true }).press('Enter');
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('Nothing was changed.');
  await expect(dialog).not.toContainText("We don't know");
});
