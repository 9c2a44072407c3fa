import { postGet } from '@meridian/contract';
import { openStoredPost, previewOf } from './support/post-page.ts';
import { expect, test } from './support/test.ts';

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

// Proves 2.74, 2.75, 2.76, 2.77, 2.78
test('shows its author, its state and all that is known of it', async ({ page, app }) => {
  const error_msg = 'InvalidRequest: Text is too long\nRecord/text';
  const post = await openStoredPost(page, app, {
    status: 'FAILED',
    error_msg,
    executed_at: '2096-11-20T17:02:01.000Z',
    languages: ['en', 'ja'],
    user: { handle: 'mika.example', display_name: 'Mika', avatar: '/favicon.svg' },
  });
  const preview = previewOf(page);
  await expect(preview.getByText('Mika', { exact: true })).toBeVisible();
  await expect(preview.getByText('@mika.example')).toBeVisible();
  await expect(preview.locator('img').first()).toHaveAttribute('src', /\/favicon\.svg$/);
  await expect(preview.getByText(post.content)).toBeVisible();

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
  await expect(information.getByRole('link', { name: 'mika.example' })).toHaveAttribute(
    'href',
    `/users/${post.user_id}`,
  );
  await expect(information.getByText('InvalidRequest: Text is too long')).toBeVisible();
  await expect(information.getByRole('definition').first()).toHaveText('Failed');
  await expect(information.getByRole('time')).toHaveText([
    '20 Nov 2096, 18:00',
    '1 Nov 2026, 09:00',
    '1 Nov 2026, 09:00',
    '20 Nov 2096, 18:02',
  ]);
  await expect(page.getByText('Languages: en, ja')).toBeVisible();
  await expect(page.getByRole('link', { name: 'View on Bluesky' })).toHaveCount(0);

  // Its state is beside the heading, and why it failed is above all else.
  const heading = page.getByRole('heading', { level: 1, name: 'Post Details' }).locator('..');
  await expect(heading).toHaveText('Post DetailsFailedScheduled for 20 Nov 2096, 18:00');
  const box = page.getByText('This post was not published').locator('..');
  await expect(box).toContainText('InvalidRequest: Text is too long');
  const [failure, words] = [await box.boundingBox(), await preview.boundingBox()];
  expect(failure?.y).toBeLessThan(words?.y ?? 0);
});

// Proves 2.83
test('a completed post with an address can be viewed on Bluesky', async ({ page, app }) => {
  await openStoredPost(page, app, {
    status: 'COMPLETED',
    at_uri: 'at://did:plc:abc/app.bsky.feed.post/3kabc',
    at_rkey: '3kabc',
  });
  const link = page.getByRole('link', { name: 'View on Bluesky' });
  await expect(link).toHaveAttribute(
    'href',
    // Of the repository the record is in, not of the author's present name.
    'https://bsky.app/profile/did:plc:abc/post/3kabc',
  );
  await expect(link).toHaveAttribute('rel', /noopener.*noreferrer/);
  await expect(page.getByText('at://did:plc:abc/app.bsky.feed.post/3kabc')).toBeVisible();
  const terms = page.getByRole('region', { name: 'Information' }).getByRole('term');
  await expect(terms.nth(-2)).toHaveText('Bluesky');
  await expect(terms.last()).toHaveText('Error Message');
});

// Proves 2.82
test('the debug view opens and shows facets and embed', async ({ page, app }) => {
  await openStoredPost(page, app, {
    facets: [{ index: { byteStart: 9, byteEnd: 2 }, features: [] }],
    embed: { $type: 'x.y.z' },
  });
  await expect(page.getByText('"x.y.z"')).toBeHidden();
  // What it holds is told while it is closed.
  await expect(page.getByText('2 problems')).toBeVisible();
  await page.getByText('Facets and embed').click();
  await expect(page.getByText('"x.y.z"')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Facets' })).toContainText('"byteStart": 9');
  await expect(page.getByRole('region', { name: 'Problems' }).getByRole('listitem')).toHaveText([
    'Unknown embed, not shown here: x.y.z',
    'Facet 1 dropped: bytes 9 to 2 are out of range',
  ]);
  await page.getByText('Facets and embed').click();
  await expect(page.getByText('"x.y.z"')).toBeHidden();
});

test('a post without visible words says so everywhere', async ({ page, app }) => {
  const user = await app.rows.user();
  for (const content of [' \n\n ', '\u200b\u2060\ufeff', '\u3164\u2800']) {
    await openStoredPost(page, app, { content, user });
    await expect(previewOf(page).getByText('No visible text')).toBeVisible();
  }
  const empty = await openStoredPost(page, app, { content: '', user });
  await expect(previewOf(page).getByText('No text', { exact: true })).toBeVisible();
  for (const path of ['/posts', `/users/${user.id}`]) {
    await app.open(path);
    await expect(page.getByRole('link', { name: 'No text', exact: true })).toHaveAttribute(
      'href',
      `/posts/${empty.id}`,
    );
    const links = page.getByRole('link', { name: 'No visible text', exact: true });
    await expect(links).toHaveCount(3);
    for (const link of await links.all()) await expect(link).toBeVisible();
  }
});

// Proves 8.30
test('an unknown post says so, with a way back', async ({ page, app }) => {
  await app.open(`/posts/${UNKNOWN_ID}`);
  await expect(page.getByText('Post not found', { exact: true })).toBeVisible();
  await expect(page.getByText('It may have been deleted')).toBeVisible();
  for (const name of ['Back to Posts', 'See all posts']) {
    await expect(page.getByRole('link', { name })).toHaveAttribute('href', '/posts');
  }
});

test('a loading post has its boxes where they will be', async ({ page, app }) => {
  const post = await app.rows.post();
  const held = await app.hold(postGet);
  await app.open(`/posts/${post.id}`);
  const headings = page.getByRole('main').getByRole('heading');
  // What stands below depends on how much there is to say above it.
  const positionsOf = () =>
    headings.evaluateAll((all) =>
      all
        .filter(({ textContent }) => ['Post Details', 'Post', 'Information'].includes(textContent))
        .map((one) => {
          const { x, y } = one.getBoundingClientRect();
          return [one.textContent, Math.round(x), Math.round(y)];
        }),
    );
  await expect(page.getByText('Loading...')).toBeVisible();
  await expect(headings).toHaveText(['Post Details', 'Post', 'Information', 'Change Status']);
  const before = await positionsOf();
  expect(before).toHaveLength(3);
  held.release();
  await expect(page.getByText('Doors open at 7 tonight')).toBeVisible();
  expect(await positionsOf()).toEqual(before);
});
