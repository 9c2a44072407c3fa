import { assignmentList, authMe, postGet, postList, userGet, userPosts } from '@meridian/contract';
import { openPost, previewOf } from './support/post-page.ts';
import { ME, samplePost, sampleUser } from './support/samples.ts';
import { expect, rememberToken, test } from './support/test.ts';

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

  test('without words says so in the same words everywhere', async ({ page, standIn }) => {
    const post = samplePost({ content: '' });
    standIn
      .on(postList, { body: { posts: [post], total: 1 } })
      .on(userGet, { body: { user: sampleUser() } })
      .on(assignmentList, { body: { assignments: [] } })
      .on(userPosts, { body: { posts: [post], total: 1 } });
    await openPost(page, standIn, post);
    await expect(previewOf(page).getByText('No text', { exact: true })).toBeVisible();
    for (const path of ['/posts', '/users/some-user']) {
      await page.goto(`${standIn.url}${path}`);
      await expect(page.getByRole('link', { name: 'No text', exact: true })).toHaveAttribute(
        'href',
        `/posts/${post.id}`,
      );
    }
  });

  test('unknown: says so, with a way back', async ({ page, standIn }) => {
    standIn
      .on(authMe, { body: ME })
      .on(postGet, { status: 404, body: { message: 'Post not found' } });
    await rememberToken(page, 'a-token');
    await page.goto(`${standIn.url}/posts/nothing`);
    await expect(page.getByText('Post not found')).toBeVisible();
    await expect(page.getByText('It may have been deleted')).toBeVisible();
    for (const name of ['Back to Posts', 'See all posts']) {
      await expect(page.getByRole('link', { name })).toHaveAttribute('href', '/posts');
    }
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
