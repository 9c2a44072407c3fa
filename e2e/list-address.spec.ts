import { postList } from '@meridian/contract';
import type { Page } from '@playwright/test';
import type { App } from './support/app.ts';
import { gate } from './support/gate.ts';
import { withCursor } from './support/page-address.ts';
import { withoutEvents } from './support/open-requests.ts';
import { expect, test } from './support/test.ts';

/** The state of a list lives in its address: what changes there, what Back undoes, what stays. */

const statusOf = (page: Page) => page.getByRole('combobox', { name: 'Status' });
const userOf = (page: Page) => page.getByRole('searchbox', { name: 'User' });
const lastSearch = (app: App) =>
  new URL(app.callsTo(postList).at(-1)?.url ?? '', app.url).searchParams;

/** 45 posts of a harbour: 20 pending, 25 failed. */
async function openPosts(page: Page, app: App) {
  const user = await app.rows.user({ handle: 'harbour.example' });
  await app.rows.posts(20, {}, user);
  await app.rows.posts(25, { status: 'FAILED', content: 'Failed number' }, user);
  await app.open('/posts');
  await expect(page.getByRole('row')).toHaveCount(21);
}

test.describe('what is typed', () => {
  test('is not lost on a status chosen right after, nor the status on it', async ({
    page,
    app,
  }) => {
    await openPosts(page, app);
    await userOf(page).pressSequentially('harb');
    await statusOf(page).selectOption('Pending');
    // The order says whether the pause after typing was over by then.
    await expect(page).toHaveURL(
      ({ searchParams }) =>
        searchParams.get('status') === 'PENDING' && searchParams.get('userFilter') === 'harb',
    );
    await expect(statusOf(page).locator(':checked')).toHaveText('Pending');
    await expect.poll(() => lastSearch(app).get('userFilter')).toBe('harb');
    expect(lastSearch(app).get('status')).toBe('PENDING');
  });

  test('is not lost on a sort chosen right after, nor the sort on it', async ({ page, app }) => {
    await openPosts(page, app);
    await userOf(page).pressSequentially('harb');
    await page.getByRole('button', { name: 'Created' }).click();
    await expect(page).toHaveURL(
      ({ searchParams }) =>
        searchParams.get('userFilter') === 'harb' && searchParams.get('sort') === 'created_at',
    );
    await expect(userOf(page)).toHaveValue('harb');
    await expect.poll(() => lastSearch(app).get('sort')).toBe('created_at');
  });

  test('is there again after a page opened at once and Back', async ({ page, app }) => {
    await openPosts(page, app);
    await userOf(page).pressSequentially('harbour');
    await page.getByRole('link', { name: 'Post number 1', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Post Details' })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(`${app.url}/posts?userFilter=harbour`);
    await expect(userOf(page)).toHaveValue('harbour');
  });
});

test('what was typed does not undo a navigation under way', async ({ page, app }) => {
  await page.clock.install();
  await openPosts(page, app);
  const code = gate();
  await page.route(/\/password-page-/, async (route) => {
    await code.opened;
    await route.continue();
  });
  await userOf(page).pressSequentially('harbour');
  await page.getByRole('button', { name: /@admin/ }).click();
  await page.getByRole('menuitem', { name: 'Change Password' }).click();
  await expect(page).toHaveURL(`${app.url}/posts?userFilter=harbour`);
  // Longer than the pause after which typing counts.
  await page.clock.runFor(400);
  code.open();
  await expect(page.getByRole('heading', { level: 1, name: 'Change Password' })).toBeVisible();
});

test.describe('Back', () => {
  test('undoes one filter, sort or page after the other', async ({ page, app }) => {
    await openPosts(page, app);
    const steps: [string, () => Promise<unknown>][] = [
      ['?status=FAILED', () => statusOf(page).selectOption('Failed')],
      ['?status=FAILED&page=2', () => page.getByRole('link', { name: 'Next' }).click()],
      ['?status=PENDING', () => statusOf(page).selectOption('Pending')],
      [
        '?status=PENDING&sort=created_at',
        () => page.getByRole('button', { name: 'Created' }).click(),
      ],
    ];
    const addresses: (string | RegExp)[] = [`${app.url}/posts`];
    for (const [search, step] of steps) {
      await step();
      const address = `${app.url}/posts${search}`;
      addresses.push(search.includes('page=') ? withCursor(address) : address);
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
    app,
  }) => {
    await app.rows.posts(1, {}, await app.rows.user({ handle: 'harbour.example' }));
    await app.open('/users');
    await page.getByRole('link', { name: 'Posts', exact: true }).click();
    for (const text of ['h', 'ha', 'harb']) {
      await userOf(page).fill(text);
      await expect(page).toHaveURL(`${app.url}/posts?userFilter=${text}`);
    }
    await page.goBack();
    await expect(page).toHaveURL(`${app.url}/users`);
  });
});

test('invalid values are taken out of the address, and nothing else', async ({ page, app }) => {
  await withoutEvents(page);
  await openPosts(page, app);
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
    const before = app.callsTo(postList).length;
    await app.open(`/posts${wrong}`);
    await expect(page.getByRole('row'), wrong).toHaveCount(21);
    await expect(page, wrong).toHaveURL(`${app.url}/posts${right}`);
    expect(app.callsTo(postList).length - before, wrong).toBe(1);
  }
});

test('a list of tickets without a pager tells how many there are', async ({ page, app }) => {
  await app.rows.assignment(await app.rows.user(), { code: 'ABCD-EFGH-JKLM-NPQR' });
  await app.open('/tickets');
  await expect(page.getByText('1 ticket', { exact: true })).toHaveAttribute('aria-live', 'polite');
  await expect(page.getByText(/^Showing/)).toHaveCount(0);
});

test.describe('a reload', () => {
  test.use({ viewport: { width: 640, height: 450 } });

  test('keeps the scroll position when the rows come after the first paint', async ({
    page,
    app,
  }) => {
    await app.rows.posts(45);
    await app.open('/posts');
    await expect(page.getByRole('row')).toHaveCount(21);
    const end = await page.evaluate(() => {
      scrollTo(0, document.documentElement.scrollHeight);
      return scrollY;
    });
    const held = await app.hold(postList);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    held.release();
    await expect(page.getByRole('row')).toHaveCount(21);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(end);
    await page.goto(`${app.url}/users`);
    await expect(page.getByRole('row')).toHaveCount(2);
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });

  test('leaves the page to the administrator who scrolls before the rows are there', async ({
    page,
    app,
  }) => {
    await app.rows.posts(45);
    await app.open('/posts');
    await expect(page.getByRole('row')).toHaveCount(21);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const held = await app.hold(postList);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    // The browser restores the position by itself, at a moment of its own, unless someone has scrolled:
    // a key that moves nothing is no scrolling.
    const afterKey = async (key: string) => {
      await page.keyboard.press(key);
      return page.evaluate(() => scrollY);
    };
    await expect.poll(() => afterKey('ArrowDown')).toBeGreaterThan(0);
    await expect.poll(() => afterKey('Home')).toBe(0);
    held.release();
    await expect(page.getByRole('row')).toHaveCount(21);
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });
});
