import { postGet, postList } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { samplePost, samplePosts } from './support/samples.ts';
import type { StandIn } from './support/stand-in.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

/** The rows of the posts list: whose they are, how many, and what a click on one does. */

const openPosts = (page: Page, standIn: StandIn) => visit(page, standIn, '/posts');

/** A cell of the first row in which there is nothing to press. */
const scheduledCell = (page: Page) => page.getByRole('row').nth(1).getByRole('cell').nth(3);

for (const [what, fields, lines] of [
  ['no handle', { handle: '' }, ['did:plc:abcdefghijkl…', 'user-abc…']],
  ['no DID', { did: '' }, ['mika.example', 'user-abc…']],
  ['neither', { handle: '', did: '' }, ['user-abc…']],
  ['a handle that shows nothing', { handle: '\u200b', did: '' }, ['user-abc…']],
] as const) {
  test(`an author with ${what} is named by what is there`, async ({ page, standIn }) => {
    const user = {
      id: 'user-abcdef',
      did: 'did:plc:abcdefghijklmnopqrstuvwx',
      handle: 'mika.example',
      display_name: null,
      avatar: null,
      ...fields,
    };
    const post = samplePost({ user, user_id: user.id });
    standIn.on(postList, { body: { posts: [post], total: 1 } });
    await openPosts(page, standIn);
    const cell = page.getByRole('row').nth(1).getByRole('cell').first();
    await expect(cell.getByRole('link')).toHaveText(lines[0]);
    await expect(cell.getByRole('link')).toHaveAttribute('href', '/users/user-abcdef');
    for (const line of lines) await expect(cell.getByText(line, { exact: true })).toBeVisible();
  });
}

test('a server that leaves out the total is paged all the same', async ({ page, standIn }) => {
  standIn.on(postList, ({ url }) => ({
    body: { posts: samplePosts(url.includes('offset=20') ? 7 : 20) },
  }));
  await openPosts(page, standIn);
  await expect(page.getByText('Showing 1 to 20 of – posts')).toBeVisible();
  await expect(page.getByText('20 posts shown')).toBeVisible();
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByText('Showing 21 to 27 of – posts')).toBeVisible();
  await expect(page).toHaveURL(/page=2$/);
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled();
});

test('a server that sends all rows at once has one page', async ({ page, standIn }) => {
  standIn.on(postList, { body: { posts: samplePosts(45), total: 45 } });
  await openPosts(page, standIn);
  await expect(page.getByRole('row')).toHaveCount(46);
  await expect(page.getByText('45 posts', { exact: true })).toBeVisible();
  await expect(page.getByText(/^Showing/)).toHaveCount(0);
});

test('the number of results is always there, and told as it changes', async ({ page, standIn }) => {
  standIn.on(postList, ({ url }) => {
    const count = url.includes('PENDING') ? 1 : url.includes('FAILED') ? 0 : 12;
    return { body: { posts: samplePosts(count), total: count } };
  });
  await openPosts(page, standIn);
  const live = page.getByRole('main').locator('[aria-live="polite"]');
  await expect(live.filter({ hasText: /^12 posts$/ })).toBeVisible();
  const filter = page.getByRole('combobox', { name: 'Status' });
  // The same elements all along: a screen reader hears what changes inside them.
  const regions = await live.elementHandles();
  await filter.selectOption('Pending');
  await expect(live.filter({ hasText: /^1 post$/ })).toBeVisible();
  await filter.selectOption('Failed');
  await expect(live.filter({ hasText: /^0 posts$/ })).toBeVisible();
  await expect(live.filter({ hasText: 'No posts found' })).toBeVisible();
  await expect(live.filter({ hasText: 'Clear filters' })).toHaveCount(0);
  expect(
    await Promise.all(regions.map((region) => region.evaluate((one) => one.isConnected))),
  ).toEqual(regions.map(() => true));
});

test('of the real server: a row opens its post, and Back returns to it', async ({
  signedIn: page,
  meridian,
}) => {
  await page.goto(`${meridian.url}/posts?status=FAILED`);
  await expect(page.getByText(/^[\d,]+ posts$/)).toBeVisible();
  const link = page.getByRole('row').nth(3).getByRole('cell').nth(1).getByRole('link');
  const href = await link.getAttribute('href');
  await page.getByRole('row').nth(3).getByRole('cell').nth(4).click();
  await expect(page).toHaveURL(`${meridian.url}${href}`);
  await expect(page.getByText('This post was not published')).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(`${meridian.url}/posts?status=FAILED`);
  await expect(link).toBeFocused();
});

test.describe('a click anywhere in a row', () => {
  test('opens the post, and Back returns to its link', async ({ page, standIn }) => {
    const posts = samplePosts(2);
    standIn
      .on(postList, { body: { posts, total: 2 } })
      .on(postGet, { body: { post: samplePost() } });
    await openPosts(page, standIn);
    await scheduledCell(page).click();
    await expect(page).toHaveURL(`${standIn.url}/posts/${posts[0]?.id}`);
    await expect(page.getByRole('heading', { name: 'Post Details' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('link', { name: 'Post number 1', exact: true })).toBeFocused();
  });

  test('with a modifier key opens it in a new tab', async ({ page, context, standIn }) => {
    const [post] = samplePosts(1);
    standIn.on(postList, { body: { posts: [post], total: 1 } }).on(postGet, { body: { post } });
    await openPosts(page, standIn);
    const opened = context.waitForEvent('page');
    await scheduledCell(page).click({ modifiers: ['ControlOrMeta'] });
    await expect(await opened).toHaveURL(`${standIn.url}/posts/${post?.id}`);
    await expect(page).toHaveURL(`${standIn.url}/posts`);
  });

  test('does nothing where text is being selected, or something else is pressed', async ({
    page,
    standIn,
  }) => {
    const [post] = samplePosts(1);
    standIn.on(postList, { body: { posts: [post], total: 1 } });
    await openPosts(page, standIn);
    const box = await scheduledCell(page).locator('time').boundingBox();
    const { x, y, width, height } = box ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width - 2, y + height / 2, { steps: 4 });
    await page.mouse.up();
    expect(await page.evaluate(() => String(getSelection()))).not.toBe('');
    await page.getByRole('button', { name: /^Copy DID of/ }).click();
    await expect(page).toHaveURL(`${standIn.url}/posts`);
    expect(standIn.callsTo(postGet)).toEqual([]);
  });
});

test('the focus ring of a handle is not cut off', async ({ page, standIn }) => {
  standIn.on(postList, { body: { posts: samplePosts(1), total: 1 } });
  await openPosts(page, standIn);
  const link = page.getByRole('row').nth(1).getByRole('cell').first().getByRole('link');
  await link.focus();
  const clipping = await link.evaluate((element) => {
    const found: string[] = [];
    for (let box = element.parentElement; box?.matches('td *'); box = box.parentElement) {
      if (getComputedStyle(box).overflow !== 'visible') found.push(box.className);
    }
    return found;
  });
  expect(clipping).toEqual([]);
});

test('on a phone a row is a few lines, the status beside the user', async ({ page, standIn }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  standIn.on(postList, { body: { posts: samplePosts(2), total: 2 } });
  await openPosts(page, standIn);
  const row = page.getByRole('row').nth(1);
  const [whole, user, status] = await Promise.all(
    [row, row.getByRole('link').first(), row.getByText('Pending')].map((one) => one.boundingBox()),
  );
  expect(whole?.height).toBeLessThan(160);
  const middle = (status?.y ?? 0) + (status?.height ?? 0) / 2;
  expect(middle).toBeGreaterThan(user?.y ?? 0);
  expect(middle).toBeLessThan((user?.y ?? 0) + 40);
  await expect(row.getByText('20 Nov 2026, 18:00')).toBeVisible();
  await expect(row.getByText('1 Nov 2026, 09:00')).toBeVisible();
});

test('the text of a post is in the colour of text', async ({ page, standIn }) => {
  standIn.on(postList, { body: { posts: samplePosts(1), total: 1 } });
  await openPosts(page, standIn);
  const color = await page.evaluate(() => getComputedStyle(document.body).color);
  await expect(page.getByRole('link', { name: 'Post number 1' })).toHaveCSS('color', color);
});

test('the headers that sort are high enough to be pressed', async ({ page, standIn }) => {
  standIn.on(postList, { body: { posts: samplePosts(3), total: 3 } });
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await openPosts(page, standIn);
    for (const button of await page.getByRole('columnheader').getByRole('button').all()) {
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(24);
    }
  }
});
