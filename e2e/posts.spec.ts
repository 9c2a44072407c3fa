import { postGet, postList } from '@meridian/contract';
import type { Page } from '@playwright/test';
import type { App } from './support/app.ts';
import { withCursor } from './support/page-address.ts';
import { withoutEvents } from './support/open-requests.ts';
import { expect, test } from './support/test.ts';

const FAMILY = '👩‍👩‍👧';
const lastCall = (app: App) => app.callsTo(postList).at(-1)?.url;
const statusOf = (page: Page) => page.getByRole('combobox', { name: 'Status' });
const header = (page: Page, name: string) => page.getByRole('columnheader', { name });

// Proves 2.63, 2.64, 2.65, 2.66, 2.67, 2.68, 7.19, 9.11
test('shows each post and sends exactly the parameters of the specification', async ({
  page,
  context,
  app,
}) => {
  await withoutEvents(page);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const post = await app.rows.post({
    content: 'é'.repeat(100),
    languages: ['fr'],
    error_msg: 'x'.repeat(70),
    status: 'FAILED',
    user: { avatar: '/favicon.svg' },
  });
  // Counted as people do: a family of three is one character.
  const scheduled_at = '2096-11-20T16:00:00.000Z';
  await app.rows.post({ content: FAMILY.repeat(81), scheduled_at });
  await app.open('/posts');

  await expect(page.getByRole('heading', { level: 1, name: 'Scheduled Posts' })).toBeVisible();
  await expect(page.getByText('Published, upcoming and failed posts')).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveText([
    'User',
    'Content',
    'Status',
    'Scheduled',
    'Created',
  ]);
  const row = page.getByRole('row').nth(1);
  const author = row.getByRole('cell').first();
  const { id = '', handle = '', did = '' } = post.user ?? {};
  await expect(author.getByRole('link', { name: handle })).toHaveAttribute('href', `/users/${id}`);
  await expect(author.getByText(`${did.slice(0, 20)}…`)).toBeVisible();
  await expect(author.locator('img')).toHaveAttribute('src', /\/favicon\.svg$/);
  await author.getByRole('button', { name: /^Copy DID of/ }).click();
  await expect(author.getByRole('status')).toHaveText('Copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(did);

  await expect(row.getByRole('link', { name: `${'é'.repeat(80)}…` })).toHaveAttribute(
    'href',
    `/posts/${post.id}`,
  );
  await expect(row.locator('[lang=fr]')).toHaveText(`${'é'.repeat(80)}…`);
  await expect(row.getByText(`${'x'.repeat(60)}…`)).toBeVisible();
  await expect(row.getByText('Failed')).toBeVisible();
  await expect(row.getByText('20 Nov 2096, 18:00')).toBeVisible();
  await expect(row.getByText('1 Nov 2026, 09:00')).toBeVisible();
  await expect(page.getByRole('link', { name: `${FAMILY.repeat(80)}…` })).toBeVisible();
  // One page only: no pager.
  await expect(page.getByText(/^Showing/)).toHaveCount(0);
  expect(app.addressesOf(postList)).toEqual([
    '/api/admin/posts?limit=20&sort=scheduled_at&order=desc',
  ]);
});

// Proves 2.61
test('filters by each status, Executing included, and returns to page 1', async ({ page, app }) => {
  const user = await app.rows.posts(21);
  await app.rows.post({ content: 'Under way', status: 'PROCESSING', user });
  await app.open('/posts');
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByText('Showing 21 to 22 of 22 posts')).toBeVisible();
  await expect(statusOf(page).getByRole('option')).toHaveText([
    'All Statuses',
    'Pending',
    'Executing',
    'Completed',
    'Failed',
    'Cancelled',
  ]);
  const live = page.getByRole('main').locator('[aria-live="polite"]');
  await statusOf(page).selectOption('Executing');
  await expect(page.getByRole('link', { name: 'Under way' })).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(live.filter({ hasText: /^1 post$/ })).toBeVisible();
  await expect(page).toHaveURL(`${app.url}/posts?status=EXECUTING`);
  await expect(statusOf(page).locator(':checked')).toHaveText('Executing');
  expect(lastCall(app)).toBe(
    '/api/admin/posts?limit=20&status=EXECUTING&sort=scheduled_at&order=desc',
  );
  // The same elements all along: a screen reader hears what changes inside them.
  const regions = await live.elementHandles();
  await statusOf(page).selectOption('Pending');
  await expect(live.filter({ hasText: /^21 posts$/ })).toBeVisible();

  for (const status of ['Completed', 'Failed', 'Cancelled']) {
    await statusOf(page).selectOption(status);
    await expect(page).toHaveURL(`${app.url}/posts?status=${status.toUpperCase()}`);
    await expect(live.filter({ hasText: 'No posts found' })).toBeVisible();
    await expect(live.filter({ hasText: /^0 posts$/ })).toBeVisible();
    await expect(live.filter({ hasText: 'Clear filters' })).toHaveCount(0);
  }
  expect(
    await Promise.all(regions.map((region) => region.evaluate((one) => one.isConnected))),
  ).toEqual(regions.map(() => true));
});

// Proves 2.62
test('filters by user while one types, keeping the focus', async ({ page, app }) => {
  await app.rows.posts(3, { content: 'By Mika' }, await app.rows.user({ handle: 'mika.example' }));
  await app.rows.posts(2, { content: 'By Noor' }, await app.rows.user({ handle: 'noor.example' }));
  await app.open('/posts');
  await expect(page.getByRole('row')).toHaveCount(6);
  await page.keyboard.press('/');
  const field = page.getByRole('searchbox', { name: 'User' });
  await expect(field).toBeFocused();
  await page.keyboard.type('MIKA.ex');
  await expect(page.getByRole('row')).toHaveCount(4);
  await expect(page.getByRole('link', { name: /^By Noor/ })).toHaveCount(0);
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('MIKA.ex');

  await field.fill('nothing & none');
  await expect(page.getByText('No posts found')).toBeVisible();
  expect(lastCall(app)).toContain('userFilter=nothing+%26+none');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(`${app.url}/posts`);
  await expect(field).toHaveValue('');
  await expect(page.getByRole('row')).toHaveCount(6);
});

// Proves 1.3, 2.70, 2.71
test('sorts by three headers: the active one turns round, another starts descending', async ({
  page,
  app,
}) => {
  const user = await app.rows.posts(20);
  await app.rows.post({
    content: 'The odd one',
    status: 'CANCELLED',
    scheduled_at: '2026-01-01T00:00:00.000Z',
    created_at: '2026-11-02T00:00:00.000Z',
    user,
  });
  await app.open('/posts');
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByText('Showing 21 to 21 of 21 posts')).toBeVisible();
  await expect(header(page, 'Scheduled')).toHaveAttribute('aria-sort', 'descending');
  await expect(header(page, 'Status')).not.toHaveAttribute('aria-sort', /ascending|descending/);
  for (const name of ['User', 'Content']) {
    await expect(header(page, name).getByRole('button')).toHaveCount(0);
  }
  const first = page.getByRole('row').nth(1);
  for (const [name, sort, direction, order, content] of [
    ['Scheduled', 'scheduled_at', 'ascending', 'asc', 'The odd one'],
    ['Status', 'status', 'descending', 'desc', 'Post number'],
    ['Status', 'status', 'ascending', 'asc', 'The odd one'],
    ['Created', 'created_at', 'descending', 'desc', 'The odd one'],
  ] as const) {
    await header(page, name).getByRole('button').click();
    await expect(header(page, name)).toHaveAttribute('aria-sort', direction);
    await expect(first).toContainText(content);
    // Back on the first page.
    await expect(page.getByText('Showing 1 to 20 of 21 posts')).toBeVisible();
    expect(lastCall(app)).toBe(`/api/admin/posts?limit=20&sort=${sort}&order=${order}`);
  }
});

// Proves 2.73
test('pages through, with the old rows on screen until the next ones come', async ({
  page,
  app,
}) => {
  await app.rows.posts(45);
  await app.open('/posts');
  await expect(page.getByText('Showing 1 to 20 of 45 posts')).toBeVisible();
  const held = await app.hold(postList);
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page).toHaveURL(withCursor('/posts?page=2'));
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true');
  await expect(page.getByRole('link', { name: 'Post number 1', exact: true })).toBeVisible();
  await expect(page.getByText('Showing 1 to 20 of 45 posts')).toBeVisible();
  held.release();
  await expect(page.getByRole('link', { name: 'Post number 21', exact: true })).toBeVisible();
  await expect(page.getByText('Showing 21 to 40 of 45 posts')).toBeVisible();
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false');
  // A post scheduled before all others meanwhile moves no row to the next page.
  await app.rows.posts(1, { latest: '2097-12-31T00:00:00Z', content: 'Inserted meanwhile' });
  await page.getByRole('link', { name: 'Next' }).press('Enter');
  await expect(page.getByText('Showing 41 to 45 of 46 posts')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Post number 41', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Post number 40', exact: true })).toBeHidden();

  // The focus stays on the step that leads no further.
  const next = page.getByRole('button', { name: 'Next' });
  await expect(next).toBeFocused();
  await expect(next).toBeDisabled();
  await next.press('Enter');
  await expect(page).toHaveURL(withCursor(`${app.url}/posts?page=3`));
  for (const shown of ['Showing 21 to 40 of 46 posts', 'Showing 1 to 20 of']) {
    await page.getByRole('link', { name: 'Previous' }).press('Enter');
    // Beside the step, which the keyboard is to find again.
    await expect(page.getByText(shown)).toBeInViewport();
  }
  await expect(page).toHaveURL(`${app.url}/posts`);
  await expect(page.getByRole('button', { name: 'Previous' })).toBeFocused();

  // A page number that no longer exists lands on the last page.
  await app.open('/posts?page=99');
  await expect(page.getByText('Showing 41 to 46 of 46 posts')).toBeVisible();
  await expect(page).toHaveURL(/page=3$/);
});

test('Back returns to the very list', async ({ page, app }) => {
  await app.rows.posts(45);
  await app.open('/posts?status=PENDING&sort=created_at&order=asc');
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByText('Showing 21 to 40 of 45 posts')).toBeVisible();
  const last = page.getByRole('row').last().getByRole('link').last();
  await last.scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => scrollY);
  expect(scrolled).toBeGreaterThan(0);
  await last.click();
  await expect(page.getByRole('heading', { name: 'Post Details' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(withCursor('?status=PENDING&sort=created_at&order=asc&page=2'));
  await expect(last).toBeVisible();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(scrolled);
  await expect(last).toBeFocused();
});

test('a click anywhere in a row opens the post, unless text is selected', async ({
  page,
  context,
  app,
}) => {
  const post = await app.rows.post({ status: 'FAILED', error_msg: 'RateLimitExceeded' });
  await app.open('/posts');
  // A cell in which there is nothing to press.
  const cell = page.getByRole('row').nth(1).getByRole('cell').nth(3);
  const box = await cell.locator('time').boundingBox();
  const { x, y, width, height } = box ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width - 2, y + height / 2, { steps: 4 });
  await page.mouse.up();
  expect(await page.evaluate(() => String(getSelection()))).not.toBe('');
  await page.getByRole('button', { name: /^Copy DID of/ }).click();
  await expect(page).toHaveURL(`${app.url}/posts`);
  expect(app.callsTo(postGet)).toEqual([]);

  // With a modifier key in a new tab. Pressed on what is selected, that would stay selected.
  await page.getByRole('heading', { level: 1 }).click();
  const opened = context.waitForEvent('page');
  await cell.click({ modifiers: ['ControlOrMeta'] });
  await expect(await opened).toHaveURL(`${app.url}/posts/${post.id}`);
  await expect(page).toHaveURL(`${app.url}/posts`);

  await cell.click();
  await expect(page).toHaveURL(`${app.url}/posts/${post.id}`);
  await expect(page.getByText('This post was not published')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('link', { name: post.content, exact: true })).toBeFocused();
});

test('a row is easy to read and to press, on a phone too', async ({ page, app }) => {
  await app.rows.posts(2);
  await app.open('/posts');
  const row = page.getByRole('row').nth(1);
  const color = await page.evaluate(() => getComputedStyle(document.body).color);
  await expect(row.getByRole('link', { name: 'Post number 1' })).toHaveCSS('color', color);
  // The focus ring of a handle is not cut off.
  const link = row.getByRole('cell').first().getByRole('link');
  await link.focus();
  const clipping = await link.evaluate((element) => {
    const found: string[] = [];
    for (let box = element.parentElement; box?.matches('td *'); box = box.parentElement) {
      if (getComputedStyle(box).overflow !== 'visible') found.push(box.className);
    }
    return found;
  });
  expect(clipping).toEqual([]);
  for (const width of [1440, 768, 360]) {
    await page.setViewportSize({ width, height: 800 });
    for (const button of await page.getByRole('columnheader').getByRole('button').all()) {
      const height = await button.evaluate((element) => element.getBoundingClientRect().height);
      expect(height, `${width} px`).toBeGreaterThanOrEqual(24);
    }
  }
  // At 360 px a row is a few lines, the status beside the user.
  const [whole, user, status] = await Promise.all(
    [row, row.getByRole('link').first(), row.getByText('Pending')].map((one) => one.boundingBox()),
  );
  expect(whole?.height).toBeLessThan(160);
  const middle = (status?.y ?? 0) + (status?.height ?? 0) / 2;
  expect(middle).toBeGreaterThan(user?.y ?? 0);
  expect(middle).toBeLessThan((user?.y ?? 0) + 40);
  await expect(row.getByText('20 Nov 2096, 18:00')).toBeVisible();
  await expect(row.getByText('1 Nov 2026, 09:00')).toBeVisible();
});
