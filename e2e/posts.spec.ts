import { authMe, postCancel, postDelete, postGet, postList, postUpdate } from '@meridian/contract';
import type { Post } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { gate } from './support/gate.ts';
import { ME, samplePost, samplePosts } from './support/samples.ts';
import type { StandIn } from './support/stand-in.ts';
import { stopClock, tickUntil } from './support/stopped-clock.ts';
import { expect, rememberToken, test } from './support/test.ts';

async function openPosts(page: Page, standIn: StandIn, search = '') {
  standIn.on(authMe, { body: ME });
  await rememberToken(page, 'a-token');
  await page.goto(`${standIn.url}/posts${search}`);
}

async function openPost(page: Page, standIn: StandIn, post: Post) {
  standIn.on(authMe, { body: ME }).on(postGet, { body: { post } });
  await rememberToken(page, 'a-token');
  await page.goto(`${standIn.url}/posts/${post.id}`);
  await expect(page.getByRole('heading', { name: 'Post Details' })).toBeVisible();
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
    await expect(page.getByText('Showing 21 to 40 of 45 posts')).toBeVisible();
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
    await openPosts(page, standIn, '?status=FAILED&userFilter=nobody');
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
  });

  test('an unknown status of another server is shown as it came', async ({ page, standIn }) => {
    standIn.on(postList, { body: { posts: [samplePost({ status: 'ON_HOLD' })], total: 1 } });
    await openPosts(page, standIn);
    await expect(page.getByRole('row').nth(1).getByText('ON_HOLD')).toBeVisible();
  });
});

test.describe('a post', () => {
  test('shows what is known of it', async ({ page, standIn }) => {
    const post = samplePost({
      status: 'FAILED',
      error_msg: 'AccountTakedown: Account has been taken down',
      executed_at: '2026-11-20T17:00:01.000Z',
      languages: ['en', 'ja'],
    });
    await openPost(page, standIn, post);
    const information = page.getByRole('region', { name: 'Information' });
    for (const label of [
      'Status',
      'Post ID',
      'User',
      'Scheduled At',
      'Created At',
      'Updated At',
      'Executed At',
      'Error Message',
    ]) {
      await expect(information.getByText(label, { exact: true })).toBeVisible();
    }
    await expect(information.getByText(post.id)).toBeVisible();
    await expect(information.getByRole('link', { name: post.user?.handle ?? '' })).toHaveAttribute(
      'href',
      `/users/${post.user_id}`,
    );
    await expect(
      information.getByText('AccountTakedown: Account has been taken down'),
    ).toBeVisible();
    for (const value of ['Failed', '20 Nov 2026, 18:00', '1 Nov 2026, 09:00']) {
      await expect(information.getByText(value, { exact: true }).first()).toBeVisible();
    }
    await expect(page.getByText('Languages: en, ja')).toBeVisible();
    await expect(page.getByRole('link', { name: 'View on Bluesky' })).toHaveCount(0);
  });

  test('shows its author', async ({ page, standIn }) => {
    const avatar = `${standIn.url}/favicon.svg`;
    const user = {
      id: 'u',
      did: 'did:plc:abc',
      handle: 'mika.example',
      display_name: 'Mika',
      avatar,
    };
    await openPost(page, standIn, samplePost({ user }));
    const preview = page.getByRole('region', { name: 'Post', exact: true });
    await expect(preview.getByText('Mika', { exact: true })).toBeVisible();
    await expect(preview.getByText('@mika.example')).toBeVisible();
    await expect(preview.locator('img').first()).toHaveAttribute('src', avatar);
  });

  test('a completed one with an address can be viewed on Bluesky', async ({ page, standIn }) => {
    const post = samplePost({
      status: 'COMPLETED',
      at_uri: 'at://did:plc:abc/app.bsky.feed.post/3kabc',
      at_rkey: '3kabc',
    });
    await openPost(page, standIn, post);
    const link = page.getByRole('link', { name: 'View on Bluesky' });
    await expect(link).toHaveAttribute(
      'href',
      `https://bsky.app/profile/${post.user?.handle}/post/3kabc`,
    );
    await expect(link).toHaveAttribute('rel', /noopener.*noreferrer/);
    await expect(page.getByText('at://did:plc:abc/app.bsky.feed.post/3kabc')).toBeVisible();
  });

  test('its debug view opens and shows facets and embed', async ({ page, standIn }) => {
    await openPost(
      page,
      standIn,
      samplePost({
        facets: [{ index: { byteStart: 9, byteEnd: 2 }, features: [] }],
        embed: { $type: 'x.y.z' },
      }),
    );
    await expect(page.getByText('"x.y.z"')).toBeHidden();
    await page.getByText('Facets and embed').click();
    await expect(page.getByText('"x.y.z"')).toBeVisible();
    await expect(page.getByText('facet 0: 9..2 is out of range, dropped')).toBeVisible();
  });

  test('unknown: says so, with a way back', async ({ page, standIn }) => {
    standIn
      .on(authMe, { body: ME })
      .on(postGet, { status: 404, body: { message: 'Post not found' } });
    await rememberToken(page, 'a-token');
    await page.goto(`${standIn.url}/posts/nothing`);
    await expect(page.getByText('Post not found')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Back to Posts' })).toHaveAttribute(
      'href',
      '/posts',
    );
  });

  test('that cannot be loaded: says so and tries again', async ({ page, standIn }) => {
    standIn.on(authMe, { body: ME }).on(postGet, { cut: true });
    await rememberToken(page, 'a-token');
    await page.goto(`${standIn.url}/posts/some-post`);
    await expect(page.getByRole('alert')).toContainText('Failed to load post details');
    standIn.on(postGet, { body: { post: samplePost({ content: 'Here after all' }) } });
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText('Here after all')).toBeVisible();
  });

  test('may come without its envelope', async ({ page, standIn }) => {
    standIn
      .on(authMe, { body: ME })
      .on(postGet, { body: samplePost({ content: 'Bare as can be' }) });
    await rememberToken(page, 'a-token');
    await page.goto(`${standIn.url}/posts/some-post`);
    await expect(page.getByText('Bare as can be')).toBeVisible();
  });
});

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
      const buttons = section.getByRole('button');
      const cancels = status === 'PENDING' || status === 'PROCESSING' ? ['Cancel Post'] : [];
      await expect(buttons).toHaveText([...targets, ...cancels]);
    });
  }

  test('asks, changes, says so and reads the post again', async ({ page, standIn }) => {
    const post = samplePost();
    await openPost(page, standIn, post);
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
