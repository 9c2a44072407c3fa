import { assignmentList, authMe, postGet, postList, userGet, userPosts } from '@meridian/contract';
import { gate } from './support/gate.ts';
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
    await expect(information.getByRole('term')).toHaveText([
      'Status',
      'Post ID',
      'User',
      'Scheduled At',
      'Created At',
      'Updated At',
      'Executed At',
      'AT URI',
      'Error Message',
    ]);
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
      // Of the repository the record lies in, not of the author's present name.
      'https://bsky.app/profile/did:plc:abc/post/3kabc',
    );
    await expect(link).toHaveAttribute('rel', /noopener.*noreferrer/);
    await expect(page.getByText('at://did:plc:abc/app.bsky.feed.post/3kabc')).toBeVisible();
    const terms = page.getByRole('region', { name: 'Information' }).getByRole('term');
    await expect(terms.nth(-2)).toHaveText('Bluesky');
    await expect(terms.last()).toHaveText('Error Message');
  });

  test('says how it stands beside its heading, and why it failed above all else', async ({
    page,
    standIn,
  }) => {
    const error_msg = 'InvalidRequest: Text is too long\nRecord/text';
    await openPost(page, standIn, samplePost({ status: 'FAILED', error_msg }));
    const heading = page.getByRole('heading', { level: 1, name: 'Post Details' }).locator('..');
    await expect(heading).toHaveText('Post DetailsFailedScheduled for 20 Nov 2026, 18:00');
    const box = page.getByText('This post was not published').locator('..');
    await expect(box).toContainText('InvalidRequest: Text is too long');
    const [failure, preview] = [await box.boundingBox(), await previewOf(page).boundingBox()];
    expect(failure?.y).toBeLessThan(preview?.y ?? 0);
  });

  for (const [what, user, label] of [
    ['no handle', { handle: '' }, /^did:plc:/],
    ['neither handle nor DID', { handle: '', did: '' }, /^user-/],
  ] as const) {
    test(`of an author with ${what} still names one`, async ({ page, standIn }) => {
      const post = samplePost();
      const author = { ...post.user, display_name: null, ...user };
      await openPost(page, standIn, { ...post, user: { ...sampleUser(), ...author } });
      const information = page.getByRole('region', { name: 'Information' });
      await expect(information.getByRole('link')).toHaveText(label);
      await expect(information.getByRole('link')).toHaveAttribute('href', `/users/${post.user_id}`);
      await expect(previewOf(page).getByText(label)).toBeVisible();
    });
  }

  test('that is EXECUTING is PROCESSING, and can be changed and cancelled', async ({
    page,
    standIn,
  }) => {
    await openPost(page, standIn, samplePost({ status: 'EXECUTING' }));
    const information = page.getByRole('region', { name: 'Information' });
    await expect(information.getByText('Processing', { exact: true })).toBeVisible();
    const section = page.getByRole('region', { name: 'Change Status' });
    await expect(section.getByRole('button', { pressed: true })).toHaveText('Processing');
    await expect(section.getByRole('button', { name: 'Cancel Post' })).toBeEnabled();
    await section.getByRole('button', { name: 'Failed' }).click();
    await expect(page.getByRole('alertdialog')).toContainText(
      'Change post status from PROCESSING to FAILED?',
    );
  });

  test('of an unknown status does not claim to be completed or failed', async ({
    page,
    standIn,
  }) => {
    await openPost(page, standIn, samplePost({ status: 'ON_HOLD' }));
    const section = page.getByRole('region', { name: 'Change Status' });
    await expect(section).toContainText("A post with this status can't be changed here.");
    await expect(section).not.toContainText('keeps its status');
    await expect(section.getByRole('button')).toHaveCount(0);
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
    // What it holds is told while it is closed.
    await expect(page.getByText('2 problems')).toBeVisible();
    await page.getByText('Facets and embed').click();
    await expect(page.getByText('"x.y.z"')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Problems' }).getByRole('listitem')).toHaveText([
      'Unknown embed, not shown here: x.y.z',
      'Facet 1 dropped: bytes 9 to 2 are out of range',
    ]);
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

  test('of white space only has a link to see and to press, everywhere', async ({
    page,
    standIn,
  }) => {
    const posts = [' \n\n ', '\u200b\u2060\ufeff', '\u3164\u2800'].map((content) =>
      samplePost({ content }),
    );
    standIn
      .on(postList, { body: { posts, total: 3 } })
      .on(userGet, { body: { user: sampleUser() } })
      .on(assignmentList, { body: { assignments: [] } })
      .on(userPosts, { body: { posts, total: 3 } });
    for (const post of posts) {
      await openPost(page, standIn, post);
      await expect(previewOf(page).getByText('No visible text')).toBeVisible();
    }
    for (const path of ['/posts', '/users/some-user']) {
      await page.goto(`${standIn.url}${path}`);
      const links = page.getByRole('link', { name: 'No visible text', exact: true });
      await expect(links).toHaveCount(3);
      for (const link of await links.all()) await expect(link).toBeVisible();
    }
  });

  for (const [what, answer, message] of [
    ['its own words', { body: { message: 'This post was archived' } }, 'This post was archived'],
    ['no message', { body: {} }, 'Post not found'],
    ['no JSON', { text: '<h1>Nothing here</h1>' }, 'Post not found'],
  ] as const) {
    test(`unknown: a 404 with ${what} says '${message}'`, async ({ page, standIn }) => {
      standIn.on(authMe, { body: ME }).on(postGet, { status: 404, ...answer });
      await rememberToken(page, 'a-token');
      await page.goto(`${standIn.url}/posts/nothing`);
      await expect(page.getByText(message, { exact: true })).toBeVisible();
      await expect(page.getByRole('link', { name: 'See all posts' })).toBeVisible();
    });
  }

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

  test('on its way has its boxes where they will stand', async ({ page, standIn }) => {
    const answer = gate();
    const body = { post: samplePost() };
    standIn.on(authMe, { body: ME }).on(postGet, { body, until: answer.opened });
    await rememberToken(page, 'a-token');
    await page.goto(`${standIn.url}/posts/some-post`);
    const headings = page.getByRole('main').getByRole('heading');
    const placesOf = () =>
      headings.evaluateAll((all) =>
        all.slice(0, 3).map((one) => {
          const { x, y } = one.getBoundingClientRect();
          return [one.textContent, Math.round(x), Math.round(y)];
        }),
      );
    await expect(page.getByText('Loading...')).toBeVisible();
    await expect(headings).toHaveText(['Post Details', 'Post', 'Information', 'Change Status']);
    const before = await placesOf();
    answer.open();
    await expect(page.getByText('Doors open at 7 tonight')).toBeVisible();
    expect(await placesOf()).toEqual(before);
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
