import { postGet, postList, ticketList, userList } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { gate } from './support/gate.ts';
import { samplePost, samplePosts, sampleTicket, sampleUser } from './support/samples.ts';
import type { StandIn } from './support/stand-in.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

/** The state of a list lives in its address: what changes there, what Back undoes, what stays. */

const POSTS = { posts: samplePosts(20), total: 45 };
const statusOf = (page: Page) => page.getByRole('combobox', { name: 'Status' });
const userOf = (page: Page) => page.getByRole('searchbox', { name: 'User' });
const lastSearch = (standIn: StandIn) =>
  new URL(standIn.callsTo(postList).at(-1)?.url ?? '', standIn.url).searchParams;

async function openPosts(page: Page, standIn: StandIn, search = '') {
  standIn.on(postList, { body: POSTS }).on(postGet, { body: { post: samplePost() } });
  await visit(page, standIn, `/posts${search}`);
  await expect(page.getByRole('row')).toHaveCount(21);
}

test.describe('what is typed', () => {
  test('is not lost on a status chosen right after, nor the status on it', async ({
    page,
    standIn,
  }) => {
    await openPosts(page, standIn);
    await userOf(page).pressSequentially('harb');
    await statusOf(page).selectOption('Pending');
    await expect(page).toHaveURL(`${standIn.url}/posts?status=PENDING&userFilter=harb`);
    await expect(statusOf(page).locator(':checked')).toHaveText('Pending');
    await expect.poll(() => lastSearch(standIn).get('userFilter')).toBe('harb');
    expect(lastSearch(standIn).get('status')).toBe('PENDING');
  });

  test('is not lost on a sort chosen right after, nor the sort on it', async ({
    page,
    standIn,
  }) => {
    await openPosts(page, standIn);
    await userOf(page).pressSequentially('harb');
    await page.getByRole('button', { name: 'Created' }).click();
    await expect(page).toHaveURL(`${standIn.url}/posts?userFilter=harb&sort=created_at`);
    await expect(userOf(page)).toHaveValue('harb');
    await expect.poll(() => lastSearch(standIn).get('sort')).toBe('created_at');
  });

  test('is there again for who goes on at once and comes back', async ({ page, standIn }) => {
    await openPosts(page, standIn);
    await userOf(page).pressSequentially('harbour');
    await page.getByRole('link', { name: 'Post number 1', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Post Details' })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(`${standIn.url}/posts?userFilter=harbour`);
    await expect(userOf(page)).toHaveValue('harbour');
  });
});

test('what was typed does not undo a navigation under way', async ({ page, standIn }) => {
  await page.clock.install();
  await openPosts(page, standIn);
  const code = gate();
  await page.route(/\/PasswordPage-/, async (route) => {
    await code.opened;
    await route.continue();
  });
  await userOf(page).pressSequentially('harbour');
  await page.getByRole('button', { name: /@ana/ }).click();
  await page.getByRole('menuitem', { name: 'Change Password' }).click();
  await expect(page).toHaveURL(`${standIn.url}/posts?userFilter=harbour`);
  // Longer than the pause after which typing counts.
  await page.clock.runFor(400);
  code.open();
  await expect(page.getByRole('heading', { level: 1, name: 'Change Password' })).toBeVisible();
});

test.describe('Back', () => {
  test('undoes one filter, sort or page after the other', async ({ page, standIn }) => {
    await openPosts(page, standIn);
    const steps: [string, () => Promise<unknown>][] = [
      ['?status=FAILED', () => statusOf(page).selectOption('Failed')],
      ['?status=FAILED&page=2', () => page.getByRole('link', { name: 'Next' }).click()],
      ['?status=PENDING', () => statusOf(page).selectOption('Pending')],
      [
        '?status=PENDING&sort=created_at',
        () => page.getByRole('button', { name: 'Created' }).click(),
      ],
    ];
    const addresses = [`${standIn.url}/posts`];
    for (const [search, step] of steps) {
      await step();
      addresses.push(`${standIn.url}/posts${search}`);
      await expect(page).toHaveURL(addresses.at(-1) ?? '');
    }
    for (const address of addresses.toReversed().slice(1)) {
      await page.goBack();
      await expect(page).toHaveURL(address);
    }
    await expect(statusOf(page).locator(':checked')).toHaveText('All Statuses');
  });

  test('leaves the list after typing, and does not undo it letter by letter', async ({
    page,
    standIn,
  }) => {
    standIn.on(userList, { body: { users: [sampleUser()], total: 1 } });
    await visit(page, standIn, '/users');
    await page.getByRole('link', { name: 'Posts', exact: true }).click();
    standIn.on(postList, { body: POSTS });
    for (const text of ['h', 'ha', 'harb']) {
      await userOf(page).fill(text);
      await expect(page).toHaveURL(`${standIn.url}/posts?userFilter=${text}`);
    }
    await page.goBack();
    await expect(page).toHaveURL(`${standIn.url}/users`);
  });
});

test('what the address says wrongly is taken out of it, and nothing else', async ({
  page,
  standIn,
}) => {
  for (const [wrong, right] of [
    ['?page=abc', ''],
    ['?page=0', ''],
    ['?page=1', ''],
    ['?status=NOPE&page=2', '?page=2'],
    ['?status=PROCESSING', ''],
    ['?sort=evil&order=asc', '?order=asc'],
    ['?status=FAILED&sort=scheduled_at', '?status=FAILED'],
    ['?status=FAILED&seen=1', '?status=FAILED&seen=1'],
  ] as const) {
    const before = standIn.callsTo(postList).length;
    await openPosts(page, standIn, wrong);
    await expect(page, wrong).toHaveURL(`${standIn.url}/posts${right}`);
    expect(standIn.callsTo(postList).length - before, wrong).toBe(1);
  }
});

for (const [path, words] of [
  ['/users', '12 users'],
  ['/tickets', '3 tickets'],
] as const) {
  test(`${path} tells how many there are without a pager`, async ({ page, standIn }) => {
    const users = Array.from({ length: 12 }, () => sampleUser());
    const tickets = Array.from({ length: 3 }, () => sampleTicket());
    standIn.on(userList, { body: { users, total: 12 } }).on(ticketList, { body: { tickets } });
    await visit(page, standIn, path);
    await expect(page.getByText(words, { exact: true })).toHaveAttribute('aria-live', 'polite');
    await expect(page.getByText(/^Showing/)).toHaveCount(0);
  });
}

test.describe('a page on its way', () => {
  test('the words below the rows are about those rows', async ({ page, standIn }) => {
    await openPosts(page, standIn);
    const next = gate();
    const second = { posts: samplePosts(20, { content: 'Of page two' }), total: 45 };
    standIn.on(postList, { body: second, until: next.opened });
    await page.getByRole('link', { name: 'Next' }).click();
    await expect(page).toHaveURL(/page=2$/);
    await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true');
    await expect(page.getByText('Showing 1 to 20 of 45 posts')).toBeVisible();
    next.open();
    await expect(page.getByRole('link', { name: 'Of page two' }).first()).toBeVisible();
    await expect(page.getByText('Showing 21 to 40 of 45 posts')).toBeVisible();
    await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false');
  });

  test('that fails leaves the rows and the way back', async ({ page, standIn }) => {
    await openPosts(page, standIn);
    standIn.on(postList, { status: 400, body: { message: 'Not now' } });
    await page.getByRole('link', { name: 'Next' }).click();
    await expect(page.getByRole('alert')).toContainText('Not now');
    await expect(page.getByRole('link', { name: 'Post number 1', exact: true })).toBeVisible();
    await expect(page.getByText('Showing 1 to 20 of 45 posts')).toBeVisible();
    await page.getByRole('link', { name: 'Previous' }).click();
    await expect(page).toHaveURL(`${standIn.url}/posts`);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(page.getByText('Showing 1 to 20 of 45 posts')).toBeVisible();

    await page.getByRole('link', { name: 'Next' }).click();
    await expect(page.getByRole('alert')).toContainText('Not now');
    standIn.on(postList, { body: { posts: samplePosts(20, { content: 'At last' }), total: 45 } });
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('link', { name: 'At last' }).first()).toBeVisible();
    await expect(page.getByText('Showing 21 to 40 of 45 posts')).toBeVisible();
  });

  test('rows of another filter are not left under an error', async ({ page, standIn }) => {
    await openPosts(page, standIn);
    standIn.on(postList, { status: 400, body: { message: 'Not now' } });
    await statusOf(page).selectOption('Failed');
    await expect(page.getByRole('alert')).toContainText('Not now');
    await expect(page.getByRole('link', { name: 'Post number 1', exact: true })).toHaveCount(0);
  });
});

test('the focus stays on the step that leads no further', async ({ page, standIn }) => {
  standIn.on(postList, { body: { posts: samplePosts(20), total: 40 } });
  await visit(page, standIn, '/posts');
  await page.getByRole('link', { name: 'Next' }).press('Enter');
  const next = page.getByRole('button', { name: 'Next' });
  await expect(next).toBeFocused();
  await expect(next).toBeDisabled();
  await next.press('Enter');
  await expect(page).toHaveURL(`${standIn.url}/posts?page=2`);

  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${standIn.url}/posts`);
  await expect(page.getByRole('button', { name: 'Previous' })).toBeFocused();
});

test.describe('where one was', () => {
  test.use({ viewport: { width: 640, height: 450 } });

  test('is no other page’s business, and is kept for a reload', async ({ page, standIn }) => {
    standIn.on(userList, {
      body: { users: Array.from({ length: 20 }, () => sampleUser()), total: 20 },
    });
    await openPosts(page, standIn);
    await page.evaluate(() => scrollTo(0, 900));
    await page.reload();
    await expect(page.getByRole('row')).toHaveCount(21);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(900);
    await page.goto(`${standIn.url}/users`);
    await expect(page.getByRole('row')).toHaveCount(21);
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });
});
