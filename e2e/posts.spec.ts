import { authMe, postGet, postList } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { gate } from './support/gate.ts';
import { ME, samplePost, samplePosts } from './support/samples.ts';
import type { StandIn } from './support/stand-in.ts';
import { expect, rememberToken, test } from './support/test.ts';

async function openPosts(page: Page, standIn: StandIn, search = '') {
  standIn.on(authMe, { body: ME });
  await rememberToken(page, 'a-token');
  await page.goto(`${standIn.url}/posts${search}`);
}

const lastListCall = (standIn: StandIn) => standIn.callsTo(postList).at(-1)?.url;

test.describe('the posts list', () => {
  test('shows each post and sends exactly the parameters of the specification', async ({
    page,
    standIn,
  }) => {
    const content = 'é'.repeat(100);
    const error_msg = 'x'.repeat(70);
    const post = samplePost({ content, error_msg, status: 'FAILED' });
    standIn.on(postList, { body: { posts: [post], total: 1 } });
    await openPosts(page, standIn);

    await expect(page.getByRole('heading', { level: 1, name: 'Scheduled Posts' })).toBeVisible();
    await expect(page.getByText('Published, upcoming and failed posts')).toBeVisible();
    const row = page.getByRole('row').nth(1);
    await expect(row.getByText(post.user?.handle ?? '')).toBeVisible();
    await expect(row.getByText(`${post.user?.did.slice(0, 20)}…`)).toBeVisible();
    await expect(row.getByRole('link', { name: `${'é'.repeat(80)}…` })).toHaveAttribute(
      'href',
      `/posts/${post.id}`,
    );
    await expect(row.getByText(`${'x'.repeat(60)}…`)).toBeVisible();
    await expect(row.getByText('Failed')).toBeVisible();
    await expect(row.getByText('20 Nov 2026, 18:00')).toBeVisible();
    await expect(row.getByText('1 Nov 2026, 09:00')).toBeVisible();
    // One page only: no pager.
    await expect(page.getByText(/^Showing/)).toHaveCount(0);
    expect(standIn.callsTo(postList).map(({ url }) => url)).toEqual([
      '/api/admin/posts?limit=20&sort=scheduled_at&order=desc',
    ]);
    expect(standIn.callsTo(postList)[0]?.token).toBe('a-token');
  });

  test('shows the picture of the author', async ({ page, standIn }) => {
    const post = samplePost();
    const avatar = `${standIn.url}/favicon.svg`;
    const user = post.user && { ...post.user, avatar };
    standIn.on(postList, { body: { posts: [{ ...post, user }], total: 1 } });
    await openPosts(page, standIn);
    await expect(page.getByRole('row').nth(1).locator('img')).toHaveAttribute('src', avatar);
  });

  test('counts characters as people do, and never cuts one in half', async ({ page, standIn }) => {
    const family = '👩‍👩‍👧';
    standIn.on(postList, {
      body: { posts: [samplePost({ content: family.repeat(81) })], total: 1 },
    });
    await openPosts(page, standIn);
    await expect(page.getByRole('link', { name: `${family.repeat(80)}…` })).toBeVisible();
  });

  test('leads to the user as well, and has the whole id to copy', async ({
    page,
    context,
    standIn,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const post = samplePost();
    standIn.on(postList, { body: { posts: [post], total: 1 } });
    await openPosts(page, standIn);
    const cell = page.getByRole('row').nth(1).getByRole('cell').first();
    await expect(cell.getByRole('link', { name: post.user?.handle ?? '' })).toHaveAttribute(
      'href',
      `/users/${post.user?.id}`,
    );
    await cell.getByRole('button', { name: /^Copy DID of/ }).click();
    await expect(cell.getByRole('status')).toHaveText('Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(post.user?.did);
  });

  test('shows the start of the user id when the author is gone', async ({ page, standIn }) => {
    const post = samplePost({ user: null, user_id: '0b5e1000-0000-4000-8000-000000000001' });
    standIn.on(postList, { body: { posts: [post], total: 1 } });
    await openPosts(page, standIn);
    await expect(page.getByText('0b5e1000…')).toBeVisible();
  });

  test('filters by each status, Executing included, and returns to page 1', async ({
    page,
    standIn,
  }) => {
    standIn.on(postList, { body: { posts: samplePosts(20), total: 45 } });
    await openPosts(page, standIn, '?page=2');
    await expect.poll(() => lastListCall(standIn)).toContain('offset=20');

    const filter = page.getByRole('combobox', { name: 'Status' });
    await expect(filter.getByRole('option')).toHaveText([
      'All Statuses',
      'Pending',
      'Executing',
      'Completed',
      'Failed',
      'Cancelled',
    ]);
    await filter.selectOption('Executing');
    await expect
      .poll(() => lastListCall(standIn))
      .toBe('/api/admin/posts?limit=20&status=EXECUTING&sort=scheduled_at&order=desc');
    await expect(page).toHaveURL(/\/posts\?status=EXECUTING$/);
    await expect(filter.locator(':checked')).toHaveText('Executing');
  });

  test('filters by user while one types, keeping the focus', async ({ page, standIn }) => {
    standIn.on(postList, { body: { posts: samplePosts(1), total: 1 } });
    await openPosts(page, standIn);
    await expect(page.getByRole('row')).toHaveCount(2);
    await page.keyboard.press('/');
    const field = page.getByRole('searchbox', { name: 'User' });
    await expect(field).toBeFocused();
    await page.keyboard.type('mika & co');
    await expect.poll(() => lastListCall(standIn)).toContain('userFilter=mika+%26+co');
    await expect(field).toBeFocused();
    await expect(field).toHaveValue('mika & co');
    // Typing went out once after the pause, not letter by letter.
    expect(standIn.callsTo(postList).length).toBeLessThan(5);
  });

  test('sorts by three headers: the active one turns round, another starts descending', async ({
    page,
    standIn,
  }) => {
    standIn.on(postList, { body: { posts: samplePosts(20), total: 45 } });
    await openPosts(page, standIn, '?page=2');
    const header = (name: string) => page.getByRole('columnheader', { name });
    await expect(header('Scheduled')).toHaveAttribute('aria-sort', 'descending');
    await expect(header('Status')).not.toHaveAttribute('aria-sort', /ascending|descending/);
    await expect(header('User').getByRole('button')).toHaveCount(0);
    await expect(header('Content').getByRole('button')).toHaveCount(0);

    await header('Scheduled').getByRole('button').click();
    await expect(header('Scheduled')).toHaveAttribute('aria-sort', 'ascending');
    await expect
      .poll(() => lastListCall(standIn))
      .toBe('/api/admin/posts?limit=20&sort=scheduled_at&order=asc');

    await header('Status').getByRole('button').click();
    await expect(header('Status')).toHaveAttribute('aria-sort', 'descending');
    await expect
      .poll(() => lastListCall(standIn))
      .toBe('/api/admin/posts?limit=20&sort=status&order=desc');

    await header('Created').getByRole('button').click();
    await expect
      .poll(() => lastListCall(standIn))
      .toBe('/api/admin/posts?limit=20&sort=created_at&order=desc');
  });

  test('pages through, with the old rows on screen until the next ones come', async ({
    page,
    standIn,
  }) => {
    const next = gate();
    standIn.on(postList, ({ url }) =>
      url.includes('offset=20')
        ? {
            body: { posts: [samplePost({ content: 'On page two' })], total: 45 },
            until: next.opened,
          }
        : { body: { posts: samplePosts(20), total: 45 } },
    );
    await openPosts(page, standIn);
    await expect(page.getByText('Showing 1 to 20 of 45 posts')).toBeVisible();
    await page.getByRole('link', { name: 'Next' }).click();
    await expect(page).toHaveURL(/page=2$/);
    await expect(page.getByRole('link', { name: 'Post number 1', exact: true })).toBeVisible();
    next.open();
    await expect(page.getByRole('link', { name: 'On page two' })).toBeVisible();
    // What came, not what was asked for.
    await expect(page.getByText('Showing 21 to 21 of 45 posts')).toBeVisible();
    await page.getByRole('link', { name: 'Previous' }).click();
    await expect(page.getByText('Showing 1 to 20 of 45 posts')).toBeVisible();
  });

  test('a page number that no longer exists lands on the last page', async ({ page, standIn }) => {
    standIn.on(postList, ({ url }) => ({
      body: { posts: url.includes('offset=40') ? samplePosts(5) : [], total: 45 },
    }));
    await openPosts(page, standIn, '?page=99');
    await expect(page.getByText('Showing 41 to 45 of 45 posts')).toBeVisible();
    await expect(page).toHaveURL(/page=3$/);
  });

  test('says when nothing is there, and offers to clear the filters', async ({ page, standIn }) => {
    standIn.on(postList, { body: { posts: [], total: 0 } });
    await openPosts(page, standIn, '?status=FAILED&userFilter=unknown');
    await expect(page.getByText('No posts found')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(page).toHaveURL(/\/posts$/);
    await expect(page.getByRole('searchbox', { name: 'User' })).toHaveValue('');
  });

  test.describe('a failed load', () => {
    for (const [what, answer, message] of [
      [
        "the server's own words",
        { status: 500, body: { message: 'The database is resting' } },
        'The database is resting',
      ],
      ['a body that is no JSON', { status: 502, text: '<h1>Bad gateway</h1>' }, 'Request failed'],
      ['no message', { status: 503, body: {} }, 'HTTP 503'],
      ['no answer at all', { cut: true }, 'Failed to load posts'],
    ] as const) {
      test(`shows ${what} and tries again`, async ({ page, standIn }) => {
        standIn.on(postList, answer);
        await openPosts(page, standIn);
        await expect(page.getByRole('alert')).toContainText(message);
        standIn.on(postList, {
          body: { posts: [samplePost({ content: 'Back again' })], total: 1 },
        });
        await page.getByRole('button', { name: 'Retry' }).click();
        await expect(page.getByRole('link', { name: 'Back again' })).toBeVisible();
        await expect(page.getByRole('alert')).toHaveCount(0);
      });
    }
  });

  test('Back returns to the very list', async ({ page, standIn }) => {
    const posts = samplePosts(20);
    standIn
      .on(postList, { body: { posts, total: 45 } })
      .on(postGet, { body: { post: samplePost() } });
    await openPosts(page, standIn, '?status=PENDING&sort=created_at&order=asc&page=2');
    const last = page.getByRole('link', { name: 'Post number 20', exact: true });
    await last.scrollIntoViewIfNeeded();
    const scrolled = await page.evaluate(() => scrollY);
    expect(scrolled).toBeGreaterThan(0);
    await last.click();
    await expect(page.getByRole('heading', { name: 'Post Details' })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/status=PENDING&sort=created_at&order=asc&page=2$/);
    await expect(last).toBeVisible();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(scrolled);
    await expect(last).toBeFocused();
  });

  test('an unknown status of another server is shown as it came', async ({ page, standIn }) => {
    standIn.on(postList, { body: { posts: [samplePost({ status: 'ON_HOLD' })], total: 1 } });
    await openPosts(page, standIn);
    await expect(page.getByRole('row').nth(1).getByText('ON_HOLD')).toBeVisible();
  });
});
