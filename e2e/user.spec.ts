import { assignmentList, userGet, userPosts } from '@meridian/contract';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { withoutEvents } from './support/open-requests.ts';
import { expect, test } from './support/test.ts';
import { postsOf, profileOf, valueOf } from './support/user-page.ts';

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

test.describe('the profile', () => {
  // Proves 2.48, 2.49, 2.50, 7.13
  test('shows name, handle, decentralised id, times and flags', async ({ page, app }) => {
    const user = await app.rows.user({ display_name: 'Harbour Lights Café', is_active: false });
    await app.open(`/users/${user.id}`);
    const heading = page.getByRole('heading', { level: 1, name: 'Harbour Lights Café' });
    await expect(heading).toBeVisible();
    await expect(page).toHaveTitle('Harbour Lights Café · Meridian');
    const main = page.getByRole('main');
    await expect(main.getByText(`@${user.handle}`).first()).toBeVisible();
    await expect(main.getByText(user.did).first()).toBeVisible();
    await expect(main.getByText('H', { exact: true }).first()).toBeVisible();
    await expect(profileOf(page).getByRole('term')).toHaveText([
      'Avatar',
      'Name',
      'Handle',
      'DID',
      'Created',
      'Updated',
      'Access Keyword',
      'Active',
    ]);
    await expect(valueOf(page, 'Avatar')).toHaveText('H');
    await expect(valueOf(page, 'Name')).toHaveText('Harbour Lights Café');
    await expect(valueOf(page, 'Handle')).toHaveText(`@${user.handle}`);
    await expect(valueOf(page, 'DID')).toHaveText(user.did);
    await expect(valueOf(page, 'Created')).toHaveText('2 Mar 2026, 09:14');
    await expect(valueOf(page, 'Updated')).toHaveText('2 Mar 2026, 09:14');
    await expect(valueOf(page, 'Access Keyword')).toHaveText('Yes');
    await expect(valueOf(page, 'Active')).toHaveText('No');
    await expect(page.getByRole('link', { name: 'Back to Users' })).toHaveAttribute(
      'href',
      '/users',
    );
    await expect(postsOf(page).getByText('No scheduled posts')).toBeVisible();
    expect(app.callsTo(userGet)[0]?.url).toBe(`/api/admin/users/${user.id}`);
  });

  // Proves 2.48
  test('shows the handle where there is no display name, and the avatar', async ({ page, app }) => {
    const user = await app.rows.user({
      display_name: null,
      avatar: '/favicon.svg',
      has_access_keyword_access: false,
    });
    await app.open(`/users/${user.id}`);
    await expect(page.getByRole('heading', { level: 1, name: user.handle })).toBeVisible();
    await expect(valueOf(page, 'Name')).toHaveText(user.handle);
    for (const place of [page.getByRole('main'), valueOf(page, 'Avatar')]) {
      await expect(place.locator('img').first()).toHaveAttribute('src', /\/favicon\.svg$/);
    }
    await expect(valueOf(page, 'Access Keyword')).toHaveText('No');
    await expect(valueOf(page, 'Active')).toHaveText('Yes');
  });

  test('a time tells UTC and the distance on hover, when pressed, and to screen readers', async ({
    page,
    app,
  }) => {
    await page.clock.setFixedTime('2026-03-02T11:14:00.000Z');
    const user = await app.rows.user();
    await app.open(`/users/${user.id}`);
    const time = valueOf(page, 'Updated').getByRole('time');
    await expect(time).toHaveAccessibleDescription('2 Mar 2026, 08:14 UTC, 3 hours ago');
    await expect(time).toHaveAttribute('datetime', '2026-03-02T08:14:00.000Z');
    const tooltip = page.getByRole('tooltip');
    for (const ask of [() => time.focus(), () => time.click(), () => time.hover()]) {
      await ask();
      await expect(tooltip).toContainText('2 Mar 2026, 08:14 UTC');
      await expect(tooltip).toContainText('3 hours ago');
      await page.keyboard.press('Escape');
      await page.mouse.move(0, 0);
      await time.blur();
      await expect(tooltip).toHaveCount(0);
    }
  });

  test('the Tab key stops at each time of the details, and at none of the posts', async ({
    page,
    app,
  }) => {
    const user = await app.rows.user();
    await app.rows.assignment(user);
    await app.rows.posts(3, {}, user);
    await app.open(`/users/${user.id}`);
    await expect(postsOf(page).getByRole('time')).toHaveCount(3);
    await page.getByRole('link', { name: 'Back to Users' }).focus();
    const created = valueOf(page, 'Created').getByRole('time');
    const isReached = () => created.evaluate((element) => element === document.activeElement);
    for (let stops = 0; stops < 60 && !(await isReached()); stops += 1) {
      await page.keyboard.press('Tab');
    }
    await expect(created).toBeFocused();
    await expect(page.getByRole('tooltip')).toContainText('2 Mar 2026, 08:14 UTC');
    for (const label of ['Updated', 'Activated At', 'Expires At']) {
      await expect(valueOf(page, label).getByRole('time')).toHaveJSProperty('tabIndex', 0);
    }
    for (const time of await postsOf(page).getByRole('time').all()) {
      await expect(time).toHaveJSProperty('tabIndex', -1);
    }
  });
});

// Proves 2.59, 7.15
test('recent posts are ten at most, cut to 100 characters, with state, time and error', async ({
  page,
  app,
}) => {
  await withoutEvents(page);
  const long = await app.rows.post({
    content: 'é'.repeat(120),
    status: 'FAILED',
    error_msg: 'x'.repeat(90),
  });
  const { user } = await app.meridian.call(userGet, { params: { id: long.user_id } });
  const scheduled_at = '2096-11-20T16:00:00.000Z';
  await app.rows.post({ content: 'y'.repeat(100), status: 'COMPLETED', scheduled_at, user });
  await app.rows.posts(10, { latest: '2026-10-01T09:00:00.000Z' }, user);
  await app.open(`/users/${user.id}`);
  const items = postsOf(page).getByRole('listitem');
  await expect(items).toHaveCount(10);
  const [first, second] = [items.first(), items.nth(1)];
  await expect(first.getByRole('link', { name: `${'é'.repeat(100)}…` })).toHaveAttribute(
    'href',
    `/posts/${long.id}`,
  );
  await expect(first.getByText('Failed')).toBeVisible();
  await expect(first.getByText('20 Nov 2096, 18:00')).toBeVisible();
  await expect(first.getByText('x'.repeat(90))).toBeVisible();
  await expect(second.getByRole('link', { name: 'y'.repeat(100), exact: true })).toBeVisible();
  await expect(second.getByText('Completed')).toBeVisible();
  await expect(postsOf(page).getByRole('link', { name: 'See all posts' })).toHaveAttribute(
    'href',
    `/posts?${new URLSearchParams({ userFilter: user.did }).toString()}`,
  );
  expect(app.addressesOf(userPosts)).toEqual([`/api/admin/users/${user.id}/posts?limit=10`]);
});

// Proves 2.60
test('says Loading... until the user is there', async ({ page, app }) => {
  const user = await app.rows.user({ display_name: 'At last' });
  const held = await app.hold(userGet);
  await app.open(`/users/${user.id}`);
  await expect(page.getByText('Loading...')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to Users' })).toBeVisible();
  held.release();
  await expect(page.getByRole('heading', { level: 1, name: 'At last' })).toBeVisible();
  await expect(page.getByText('Loading...')).toHaveCount(0);
});

// Proves 2.60, 8.33
test('an unknown user says User not found, with a way back', async ({ page, app }) => {
  await app.open(`/users/${UNKNOWN_ID}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('User not found');
  await expect(page.getByRole('link', { name: 'Back to Users' })).toBeVisible();
  await expect(page.getByText('No user has this ID.', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'See all users' })).toHaveAttribute('href', '/users');
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
});

test('the recent posts appear where they stay, below assignments that load slowly', async ({
  page,
  app,
}) => {
  await page.setViewportSize({ width: 1440, height: 1400 });
  const user = await app.rows.user();
  await app.rows.assignment(user);
  await app.rows.posts(3, {}, user);
  const heading = page.getByRole('heading', { name: 'Recent Posts' });
  const assignments = await app.hold(assignmentList);
  const posts = await app.hold(userPosts);
  await watchLayoutShift(page);
  await app.open(`/users/${user.id}`);
  await expect(page.getByRole('region', { name: 'Plan Assignments' })).toBeVisible();
  await expect(heading).toHaveCount(0);
  assignments.release();
  await expect(page.getByRole('heading', { name: 'Studio' })).toBeVisible();
  const top = (await heading.boundingBox())?.y;
  posts.release();
  await expect(page.getByText('Post number 3')).toBeVisible();
  expect((await heading.boundingBox())?.y).toBe(top);
  await expectNoLayoutShift(page);
});
