import { statsGet } from '@meridian/contract';
import { card, chart, rowsOf } from './support/dashboard-page.ts';
import { withoutEvents } from './support/open-requests.ts';
import { expect, test } from './support/test.ts';

const USERS = { ACTIVE: 1100, RESTRICTED: 34, SUSPENDED: 60, BLOCKED: 40 };
const POSTS = { PENDING: 1000, PROCESSING: 1, COMPLETED: 1500, FAILED: 499 };

// Proves 2.35
test('a total of 0 says No data available, and a card says 0', async ({ page, app }) => {
  await app.open('/');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  for (const title of ['Posts by Status', 'Users by Status']) {
    await expect(chart(page, title).getByText('No data available')).toBeVisible();
    await expect(chart(page, title).getByRole('table')).toHaveCount(0);
  }
  await expect(card(page, 'Total Users')).toContainText('0 active users');
  await expect(card(page, 'Pending Posts').getByText('0', { exact: true })).toBeVisible();

  const hint = page.getByText('There are no users or posts yet.');
  await expect(hint).toContainText('npm run import');

  await app.rows.user();
  await page.reload();
  await expect(hint).toHaveCount(0);
  await expect(card(page, 'Total Users').getByText('1 active user', { exact: true })).toBeVisible();
});

// Proves 1.1, 2.31, 2.32, 2.33, 7.11
test('shows three cards, and two charts with the count and percentage of each slice', async ({
  page,
  app,
}) => {
  await withoutEvents(page);
  await app.rows.counts(USERS, POSTS);
  const held = await app.hold(statsGet);
  await app.open('/');
  await expect(card(page, 'Total Posts')).toBeVisible();
  // No number before the response.
  await expect(page.getByRole('article').getByText(/\d/)).toHaveCount(0);
  await expect(page.getByText('No data available')).toHaveCount(0);
  held.release();

  await expect(page.getByRole('article')).toHaveCount(3);
  await expect(card(page, 'Total Users')).toContainText('1,234');
  await expect(card(page, 'Total Users')).toContainText('1,100 active users');
  await expect(card(page, 'Total Posts')).toContainText('3,000');
  await expect(card(page, 'Total Posts')).toContainText('All scheduled posts');
  await expect(card(page, 'Pending Posts')).toContainText('1,000');
  await expect(card(page, 'Pending Posts')).toContainText('Awaiting execution');
  expect(app.addressesOf(statsGet)).toEqual(['/api/admin/stats']);

  // A slice for each status that has any.
  await expect(chart(page, 'Posts by Status').locator('svg path')).toHaveCount(4);
  await expect(chart(page, 'Users by Status').locator('svg path')).toHaveCount(4);
  expect(await rowsOf(page, 'Posts by Status')).toEqual([
    ['Status', 'Count', 'Percentage'],
    ['Pending', '1,000', '33.3%'],
    ['Processing', '1', '0.0%'],
    ['Completed', '1,500', '50.0%'],
    ['Failed', '499', '16.6%'],
    ['Cancelled', '0', '0.0%'],
  ]);
  expect(await rowsOf(page, 'Users by Status')).toEqual([
    ['Status', 'Count', 'Percentage'],
    ['Active', '1,100', '89.1%'],
    ['Restricted', '34', '2.8%'],
    ['Suspended', '60', '4.9%'],
    ['Blocked', '40', '3.2%'],
  ]);
});

test('cards, legends and slices lead to the filtered lists', async ({ page, app }) => {
  await app.rows.counts({ ACTIVE: 2, RESTRICTED: 1, SUSPENDED: 1, BLOCKED: 1 }, POSTS);
  await app.open('/');
  const posts = chart(page, 'Posts by Status');
  const users = chart(page, 'Users by Status');
  for (const [link, href] of [
    [page.getByRole('link', { name: 'Total Users' }), '/users'],
    [page.getByRole('link', { name: 'Total Posts' }), '/posts'],
    [page.getByRole('link', { name: 'Pending Posts' }), '/posts?status=PENDING'],
    [posts.getByRole('link', { name: 'Processing' }), '/posts?status=EXECUTING'],
    [posts.getByRole('link', { name: 'Failed' }), '/posts?status=FAILED'],
    [users.getByRole('link', { name: 'Blocked' }), '/users?status=BLOCKED'],
  ] as const) {
    await expect(link).toHaveAttribute('href', href);
  }
  const statuses = ['Active', 'Restricted', 'Suspended', 'Blocked'];
  await expect(users.getByRole('link')).toHaveText(statuses);

  // Slice and legend are highlighted together.
  await users.getByRole('link', { name: 'Suspended' }).focus();
  const faded = () =>
    users
      .locator('svg path')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('opacity') !== '1'));
  await expect.poll(faded).toEqual([true, true, false, true]);

  // Half of the pie is completed posts; their slice is the third.
  await posts.locator('svg path').nth(2).click();
  await expect(page).toHaveURL(`${app.url}/posts?status=COMPLETED`);
  await expect(page.getByText('Showing 1 to 20 of 1,500 posts')).toBeVisible();

  // The filter does not offer RESTRICTED; its slice is the second.
  await page.goBack();
  await users.locator('svg path').nth(1).click();
  await expect(page).toHaveURL(`${app.url}/users?status=RESTRICTED`);
  await expect(page.getByText('1 user', { exact: true })).toBeVisible();
});

test("a slice has the color of its status's badge, light and dark", async ({ page, app }) => {
  const statuses = ['ACTIVE', 'RESTRICTED', 'SUSPENDED', 'BLOCKED'] as const;
  for (const [index, status] of statuses.entries()) {
    // The list begins with the latest.
    await app.rows.user({ status, created_at: `2026-03-0${9 - index}T08:00:00.000Z` });
  }
  const inBothThemes = async (colorsOf: () => Promise<string[]>) => {
    const colors: string[][] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      colors.push(await colorsOf());
    }
    return colors;
  };
  await app.open('/');
  const slices = chart(page, 'Users by Status').locator('svg path');
  await expect(slices).toHaveCount(4);
  const ofSlices = await inBothThemes(() =>
    slices.evaluateAll((paths) => paths.map((path) => getComputedStyle(path).fill)),
  );
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  const badges = page.getByRole('cell', { name: /^(Active|Restricted|Suspended|Blocked)$/ });
  await expect(badges).toHaveCount(4);
  const ofBadges = await inBothThemes(() =>
    badges
      .locator('[aria-hidden=true]')
      .evaluateAll((dots) => dots.map((dot) => getComputedStyle(dot).backgroundColor)),
  );
  expect(ofBadges).toEqual(ofSlices);
  expect(ofSlices.map((colors) => new Set(colors).size)).toEqual([4, 4]);
});
