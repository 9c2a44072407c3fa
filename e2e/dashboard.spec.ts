import { postList, statsGet, userList } from '@meridian/contract';
import type { Stats } from '@meridian/contract';
import { gate } from './support/gate.ts';
import { card, chart, rowsOf, STATS } from './support/dashboard-page.ts';
import { samplePosts } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

const NOTHING: Stats = {
  users: { total: 0, activeUsers: 0, byStatus: [] },
  posts: { total: 0, byStatus: [{ status: 'PENDING', count: 0 }] },
};

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

test('what the server does not say is no zero', async ({ page, standIn }) => {
  standIn.on(statsGet, {
    body: { users: { byStatus: [{ status: 'ACTIVE', count: 3 }] }, posts: {} },
  });
  await visit(page, standIn, '/');
  await expect(card(page, 'Total Users')).toContainText('–');
  await expect(card(page, 'Total Users')).toContainText('– active users');
  await expect(card(page, 'Pending Posts')).toContainText('–');
  await expect(page.getByRole('article').getByText(/\d/)).toHaveCount(0);
  expect((await rowsOf(page, 'Users by Status'))[1]).toEqual(['Active', '3', '100.0%']);
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
      await expect(page.getByText(/^As of /)).toHaveCount(0);
      standIn.on(statsGet, { body: STATS });
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(page.getByText(/^As of /)).toBeVisible();
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
  const shownCount = (count: number | undefined) => shown.format(count ?? Number.NaN);
  await expect(card(page, 'Total Users')).toContainText(shownCount(users.total));
  await expect(card(page, 'Total Users')).toContainText(
    `${shownCount(users.activeUsers)} active users`,
  );
  await expect(card(page, 'Total Posts')).toContainText(shownCount(posts.total));
  const rows = await rowsOf(page, 'Posts by Status');
  expect(rows.slice(1).map(([, count]) => count)).toEqual(
    posts.byStatus.map(({ count }) => shownCount(count)),
  );
});
