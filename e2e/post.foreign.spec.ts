import { authMe, postDelete, postGet, postUpdate } from '@meridian/contract';
import { startFront } from './support/front.ts';
import { openPost, previewOf, wordsOf } from './support/post-page.ts';
import { ME, samplePost, sampleUser } from './support/samples.ts';
import { expect, rememberToken, test } from './support/test.ts';
import { visit } from './support/visit.ts';

test('a 404 without a message says Post not found, and one with a message says that', async ({
  page,
  standIn,
}) => {
  for (const [response, message] of [
    [{ body: { message: 'This post was archived' } }, 'This post was archived'],
    [{ body: {} }, 'Post not found'],
    [{ text: '<h1>Nothing here</h1>' }, 'Post not found'],
  ] as const) {
    standIn.on(postGet, { status: 404, ...response });
    await visit(page, standIn, '/posts/nothing');
    await expect(page.getByText(message, { exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'See all posts' })).toBeVisible();
  }
});

test('a post may come without its envelope', async ({ page, standIn }) => {
  standIn.on(postGet, { body: samplePost({ content: 'Bare as can be' }) });
  await visit(page, standIn, '/posts/some-post');
  await expect(page.getByText('Bare as can be')).toBeVisible();
});

test('View on Bluesky leads to Bluesky where another service is behind Meridian', async ({
  page,
  standIn,
}) => {
  const at_uri = 'at://did:plc:abcdefghijklmnopqrstuvwx/app.bsky.feed.post/3kxyz';
  const post = samplePost({ status: 'COMPLETED', at_uri, at_rkey: '3kxyz' });
  standIn.on(authMe, { body: ME }).on(postGet, { body: { post } });
  const front = await startFront(standIn);
  await rememberToken(page, 'a-token');
  await page.goto(`${front.url}/posts/${post.id}`);
  await expect(page.getByRole('link', { name: 'View on Bluesky' })).toHaveAttribute(
    'href',
    'https://bsky.app/profile/did:plc:abcdefghijklmnopqrstuvwx/post/3kxyz',
  );
  await page.close();
  await front.close();
});

for (const [what, user, label] of [
  ['no handle', { handle: '' }, /^did:plc:/],
  ['neither handle nor DID', { handle: '', did: '' }, /^user-/],
] as const) {
  test(`a post of an author with ${what} still names one`, async ({ page, standIn }) => {
    const post = samplePost();
    const author = { ...post.user, display_name: null, ...user };
    await openPost(page, standIn, { ...post, user: { ...sampleUser(), ...author } });
    const information = page.getByRole('region', { name: 'Information' });
    await expect(information.getByRole('link')).toHaveText(label);
    await expect(information.getByRole('link')).toHaveAttribute('href', `/users/${post.user_id}`);
    await expect(previewOf(page).getByText(label)).toBeVisible();
  });
}

test('a post that is EXECUTING is PROCESSING, and can be changed and cancelled', async ({
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

test('a lost change to PROCESSING is found made where the service says EXECUTING', async ({
  page,
  standIn,
}) => {
  const post = samplePost();
  await openPost(page, standIn, post);
  standIn.on(postUpdate, () => {
    standIn.on(postGet, { body: { post: { ...post, status: 'EXECUTING' } } });
    return { status: 502, body: {} };
  });
  await page.getByRole('button', { name: 'Processing' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Status changed to PROCESSING')).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});

test('a post that another administrator has deleted is not shown as if it were still there', async ({
  page,
  standIn,
}) => {
  await openPost(page, standIn, samplePost());
  const gone = { status: 404, body: { message: 'Post not found' } };
  standIn.on(postGet, gone).on(postDelete, gone);
  await page.getByRole('button', { name: 'Delete Post' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Failed to delete post: Post not found');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('main').getByText('Post not found', { exact: true })).toBeVisible();
  await expect(previewOf(page)).toHaveCount(0);
});

test('a post of an unknown status does not claim to be completed or failed', async ({
  page,
  standIn,
}) => {
  await openPost(page, standIn, samplePost({ status: 'ON_HOLD' }));
  const section = page.getByRole('region', { name: 'Change Status' });
  await expect(section).toContainText("A post with this status can't be changed here.");
  await expect(section).not.toContainText('keeps its status');
  await expect(section.getByRole('button')).toHaveCount(0);
});

test('facets and embed of any wrong shape break nothing', async ({ page, standIn }) => {
  standIn.hasPolicy = false;
  for (const [what, facets, embed] of [
    ['words', 'facets', 'embed'],
    ['numbers', 7, 8],
    ['lists of nothing', [null, undefined, []], [[], {}]],
    ['objects of the wrong shape', { index: 1 }, { images: 'x', external: [], media: 3 }],
    ['nests', { a: { b: { c: {} } } }, { media: { media: { media: { images: [{}] } } } }],
  ] as const) {
    await test.step(what, async () => {
      const post = samplePost({ content: 'Still readable', facets, embed });
      await openPost(page, standIn, post);
      expect(await wordsOf(page)).toBe('Still readable');
      await page.getByText('Facets and embed').click();
      await expect(page.getByRole('region', { name: 'Embed' })).toBeVisible();
      await expect(page.getByRole('region', { name: 'Danger Zone' })).toBeVisible();
    });
  }
});
