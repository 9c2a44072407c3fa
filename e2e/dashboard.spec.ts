import { postList, statsGet, userList } from '@meridian/contract';
import type { Stats } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { gate } from './support/gate.ts';
import { samplePosts } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

const STATS: Stats = {
  users: {
    total: 12_345,
    activeUsers: 11_000,
    byStatus: [
      { status: 'ACTIVE', count: 11_000 },
      { status: 'RESTRICTED', count: 345 },
      { status: 'SUSPENDED', count: 600 },
      { status: 'BLOCKED', count: 400 },
    ],
  },
  posts: {
    total: 3000,
    byStatus: [
      { status: 'PENDING', count: 1000 },
      { status: 'PROCESSING', count: 1 },
      { status: 'COMPLETED', count: 1500 },
      { status: 'FAILED', count: 499 },
      { status: 'CANCELLED', count: 0 },
    ],
  },
};

const NOTHING: Stats = {
  users: { total: 0, activeUsers: 0, byStatus: [] },
  posts: { total: 0, byStatus: [{ status: 'PENDING', count: 0 }] },
};

const card = (page: Page, title: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: title }) });
const chart = (page: Page, title: string) => page.getByRole('region', { name: title });

/** The rows of a chart's table: word, count, percentage. */
async function rowsOf(page: Page, title: string): Promise<string[][]> {
  const table = chart(page, title).getByRole('table', { name: title });
  await expect(table).toBeVisible();
  const rows = await table.getByRole('row').all();
  const cells = rows.map((row) =>
    row.locator('th, td').evaluateAll((all) => all.map((cell) => cell.textContent.trim())),
  );
  return Promise.all(cells);
}

test('shows the three cards', async ({ page, standIn }) => {
  standIn.on(statsGet, { body: STATS });
  await visit(page, standIn, '/');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(3);
  await expect(card(page, 'Total Users')).toContainText('12,345');
  await expect(card(page, 'Total Users')).toContainText('11,000 active users');
  await expect(card(page, 'Total Posts')).toContainText('3,000');
  await expect(card(page, 'Total Posts')).toContainText('All scheduled posts');
  await expect(card(page, 'Pending Posts')).toContainText('1,000');
  await expect(card(page, 'Pending Posts')).toContainText('Awaiting execution');
  expect(standIn.callsTo(statsGet).map(({ url }) => url)).toEqual(['/api/admin/stats']);
});

test('one active user is no active users', async ({ page, standIn }) => {
  standIn.on(statsGet, { body: { ...STATS, users: { ...STATS.users, activeUsers: 1 } } });
  await visit(page, standIn, '/');
  await expect(card(page, 'Total Users').getByText('1 active user', { exact: true })).toBeVisible();
});

test('each slice has its count and its percentage with one decimal', async ({ page, standIn }) => {
  standIn.on(statsGet, { body: STATS });
  await visit(page, standIn, '/');
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
    ['Active', '11,000', '89.1%'],
    ['Restricted', '345', '2.8%'],
    ['Suspended', '600', '4.9%'],
    ['Blocked', '400', '3.2%'],
  ]);
});

test('seven colours cycle, alike on slice and legend', async ({ page, standIn }) => {
  const byStatus = Array.from({ length: 9 }, (_, index) => ({
    status: `STATUS_${index}`,
    count: 10 + index,
  }));
  standIn.on(statsGet, { body: { ...STATS, posts: { total: 126, byStatus } } });
  await visit(page, standIn, '/');
  const region = chart(page, 'Posts by Status');
  await expect(region.getByText('STATUS_8')).toBeVisible();
  const slices = await region
    .locator('svg path')
    .evaluateAll((paths) => paths.map((path) => getComputedStyle(path).fill));
  const legend = await region.getByRole('rowheader').evaluateAll((cells) =>
    cells.map((cell) => {
      const swatch = cell.querySelector('[aria-hidden]');
      return swatch && getComputedStyle(swatch).backgroundColor;
    }),
  );
  expect(slices).toHaveLength(9);
  expect(new Set(slices.slice(0, 7)).size).toBe(7);
  expect(slices.slice(7)).toEqual(slices.slice(0, 2));
  expect(legend).toEqual(slices);
  // No list can be filtered by words nobody knows.
  await expect(region.getByRole('link')).toHaveCount(0);
});

test('slice and legend are highlighted together', async ({ page, standIn }) => {
  standIn.on(statsGet, { body: STATS });
  await visit(page, standIn, '/');
  const region = chart(page, 'Users by Status');
  await region.getByRole('link', { name: 'Suspended' }).focus();
  const faded = () =>
    region
      .locator('svg path')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('opacity') !== '1'));
  await expect.poll(faded).toEqual([true, true, false, true]);
});

test('a total of 0 says No data available, and a card says 0', async ({ page, standIn }) => {
  standIn.on(statsGet, { body: NOTHING });
  await visit(page, standIn, '/');
  for (const title of ['Posts by Status', 'Users by Status']) {
    await expect(chart(page, title).getByText('No data available')).toBeVisible();
    await expect(chart(page, title).getByRole('table')).toHaveCount(0);
  }
  await expect(card(page, 'Total Users')).toContainText('0 active users');
  await expect(card(page, 'Pending Posts').getByText('0', { exact: true })).toBeVisible();
});

test('shows no number before it knows one', async ({ page, standIn }) => {
  const answer = gate();
  standIn.on(statsGet, { body: STATS, until: answer.opened });
  await visit(page, standIn, '/');
  await expect(card(page, 'Total Posts')).toBeVisible();
  await expect(page.getByRole('article').getByText(/\d/)).toHaveCount(0);
  await expect(page.getByText('No data available')).toHaveCount(0);
  answer.open();
  await expect(card(page, 'Total Posts')).toContainText('3,000');
});

test.describe('a failed load', () => {
  for (const [what, answer] of [
    ['an error', { status: 500, body: { message: 'The database is resting' } }],
    ['no answer', { cut: true }],
  ] as const) {
    test(`(${what}) is quiet, shows no false zero, and can be retried`, async ({
      page,
      standIn,
    }) => {
      const logged: string[] = [];
      page.on('console', (message) => logged.push(message.text()));
      standIn.on(statsGet, answer);
      await visit(page, standIn, '/');
      await expect(page.getByText('The numbers could not be loaded.')).toBeVisible();
      expect(logged).toContainEqual(expect.stringMatching(/^Failed to load the dashboard:/));
      await expect(page.getByRole('alert')).toHaveCount(0);
      await expect(page.getByRole('article')).toHaveCount(0);
      await expect(page.getByRole('main').getByText('0', { exact: true })).toHaveCount(0);
      await expect(page.getByText('No data available')).toHaveCount(0);
      standIn.on(statsGet, { body: STATS });
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(card(page, 'Total Users')).toContainText('12,345');
      await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
    });
  }

  test('of newer numbers leaves the older ones on screen', async ({ page, standIn }) => {
    await page.clock.install();
    standIn.on(statsGet, { body: STATS }).on(userList, { body: { users: [], total: 0 } });
    await visit(page, standIn, '/');
    await expect(card(page, 'Total Users')).toContainText('12,345');
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await expect(page.getByText('No users found')).toBeVisible();
    standIn.on(statsGet, { status: 400, body: {} });
    await page.clock.fastForward(60_000);
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await expect(page.getByText('The numbers could not be loaded.')).toBeVisible();
    await expect(card(page, 'Total Users')).toContainText('12,345');
  });
});

test.describe('leads to the filtered lists', () => {
  test('from the cards', async ({ page, standIn }) => {
    standIn.on(statsGet, { body: STATS });
    await visit(page, standIn, '/');
    for (const [title, href] of [
      ['Total Users', '/users'],
      ['Total Posts', '/posts'],
      ['Pending Posts', '/posts?status=PENDING'],
    ] as const) {
      await expect(page.getByRole('link', { name: title })).toHaveAttribute('href', href);
    }
  });

  test('from the legends, where the list has such a filter', async ({ page, standIn }) => {
    standIn.on(statsGet, { body: STATS });
    await visit(page, standIn, '/');
    const posts = chart(page, 'Posts by Status');
    const users = chart(page, 'Users by Status');
    await expect(posts.getByRole('link', { name: 'Processing' })).toHaveAttribute(
      'href',
      '/posts?status=EXECUTING',
    );
    await expect(posts.getByRole('link', { name: 'Failed' })).toHaveAttribute(
      'href',
      '/posts?status=FAILED',
    );
    await expect(users.getByRole('link')).toHaveText(['Active', 'Suspended', 'Blocked']);
    await expect(users.getByRole('link', { name: 'Blocked' })).toHaveAttribute(
      'href',
      '/users?status=BLOCKED',
    );
  });

  test('from the slices themselves', async ({ page, standIn }) => {
    standIn
      .on(statsGet, { body: STATS })
      .on(postList, { body: { posts: samplePosts(1), total: 1 } });
    await visit(page, standIn, '/');
    // Half of the pie is completed posts; its slice comes third.
    await chart(page, 'Posts by Status').locator('svg path').nth(2).click();
    await expect(page).toHaveURL(`${standIn.url}/posts?status=COMPLETED`);
    await expect.poll(() => standIn.callsTo(postList).at(-1)?.url).toContain('status=COMPLETED');
  });
});

test('tells the truth about the real server', async ({ signedIn: page, meridian }) => {
  const { users, posts } = await meridian.call(statsGet);
  const shown = new Intl.NumberFormat('en-GB');
  const shownCount = (count: number | null) => shown.format(count ?? Number.NaN);
  await expect(card(page, 'Total Users')).toContainText(shownCount(users.total));
  await expect(card(page, 'Total Users')).toContainText(
    `${shownCount(users.activeUsers)} active users`,
  );
  await expect(card(page, 'Total Posts')).toContainText(shownCount(posts.total));
  const rows = await rowsOf(page, 'Posts by Status');
  expect(rows.slice(1).map(([, count]) => count)).toEqual(
    posts.byStatus.map(({ count }) => shown.format(count)),
  );
});
