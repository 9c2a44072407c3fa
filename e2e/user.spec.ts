import { assignmentList, userGet, userPosts } from '@meridian/contract';
import { gate } from './support/gate.ts';

import { sampleAssignment, samplePost, samplePosts, sampleUser } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import {
  managementOf,
  openUser,
  plansOf,
  postsOf,
  profileOf,
  valueOf,
} from './support/user-page.ts';
import { visit } from './support/visit.ts';

test.describe('the profile', () => {
  test('shows name, handle, decentralised id, times and flags', async ({ page, standIn }) => {
    const user = await openUser(page, standIn, {
      user: sampleUser({ display_name: 'Harbour Lights Café', is_active: false }),
      assignments: [],
      posts: [],
    });
    await expect(
      page.getByRole('heading', { level: 1, name: 'Harbour Lights Café' }),
    ).toBeVisible();
    await expect(page).toHaveTitle('Harbour Lights Café · Meridian');
    const main = page.getByRole('main');
    await expect(main.getByText(`@${user.handle}`)).toBeVisible();
    await expect(main.getByText(user.did)).toBeVisible();
    await expect(main.getByText('H', { exact: true })).toBeVisible();
    await expect(profileOf(page).getByRole('term')).toHaveText([
      'Created',
      'Updated',
      'Access Keyword',
      'Active',
    ]);
    await expect(valueOf(page, 'Created')).toHaveText('2 Mar 2026, 09:14');
    await expect(valueOf(page, 'Updated')).toHaveText('14 Nov 2026, 10:30');
    await expect(valueOf(page, 'Access Keyword')).toHaveText('Yes');
    await expect(valueOf(page, 'Active')).toHaveText('No');
    expect(standIn.callsTo(userGet)[0]?.url).toBe(`/api/admin/users/${user.id}`);
  });

  test('shows the handle where there is no display name, and the avatar', async ({
    page,
    standIn,
  }) => {
    const user = sampleUser({
      display_name: null,
      avatar: '/favicon.svg',
      has_access_keyword_access: false,
    });
    await openUser(page, standIn, { user, assignments: [], posts: [] });
    await expect(page.getByRole('heading', { level: 1, name: user.handle })).toBeVisible();
    await expect(page.getByRole('main').locator('img')).toHaveAttribute('src', /\/favicon\.svg$/);
    await expect(valueOf(page, 'Access Keyword')).toHaveText('No');
    await expect(valueOf(page, 'Active')).toHaveText('Yes');
  });

  test('a time tells UTC and the distance on hover, when pressed, and to screen readers', async ({
    page,
    standIn,
  }) => {
    await page.clock.setFixedTime('2026-11-14T12:30:00.000Z');
    await openUser(page, standIn, { assignments: [], posts: [] });
    const time = valueOf(page, 'Updated').getByRole('time');
    await expect(time).toHaveAccessibleDescription('14 Nov 2026, 09:30 UTC, 3 hours ago');
    await expect(time).toHaveAttribute('datetime', '2026-11-14T09:30:00.000Z');
    const tooltip = page.getByRole('tooltip');
    for (const ask of [() => time.focus(), () => time.click(), () => time.hover()]) {
      await ask();
      await expect(tooltip).toContainText('14 Nov 2026, 09:30 UTC');
      await expect(tooltip).toContainText('3 hours ago');
      await page.keyboard.press('Escape');
      await page.mouse.move(0, 0);
      await time.blur();
      await expect(tooltip).toHaveCount(0);
    }
  });

  test('the Tab key stops at each time of the details, and at none of the posts', async ({
    page,
    standIn,
  }) => {
    await openUser(page, standIn, { assignments: [sampleAssignment()], posts: samplePosts(3) });
    await expect(postsOf(page).getByRole('time')).toHaveCount(3);
    await page.getByRole('link', { name: 'Back to Users' }).focus();
    const created = valueOf(page, 'Created').getByRole('time');
    const isReached = () => created.evaluate((element) => element === document.activeElement);
    for (let stops = 0; stops < 10 && !(await isReached()); stops += 1) {
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

  test('Back to Users leads to the list', async ({ page, standIn }) => {
    await openUser(page, standIn, { assignments: [], posts: [] });
    await expect(page.getByRole('link', { name: 'Back to Users' })).toHaveAttribute(
      'href',
      '/users',
    );
  });
});

test.describe('recent posts', () => {
  test('are asked for ten at a time, cut to 100 characters, with state, time and error', async ({
    page,
    standIn,
  }) => {
    const long = samplePost({
      content: 'é'.repeat(120),
      status: 'FAILED',
      error_msg: 'x'.repeat(90),
    });
    const short = samplePost({ content: 'y'.repeat(100), status: 'COMPLETED' });
    const user = await openUser(page, standIn, { assignments: [], posts: [long, short] });
    const [first, second] = [
      postsOf(page).getByRole('listitem').first(),
      postsOf(page).getByRole('listitem').nth(1),
    ];
    await expect(first.getByRole('link', { name: `${'é'.repeat(100)}…` })).toHaveAttribute(
      'href',
      `/posts/${long.id}`,
    );
    await expect(first.getByText('Failed')).toBeVisible();
    await expect(first.getByText('20 Nov 2026, 18:00')).toBeVisible();
    await expect(first.getByText('x'.repeat(90))).toBeVisible();
    await expect(second.getByRole('link', { name: 'y'.repeat(100), exact: true })).toBeVisible();
    await expect(second.getByText('Completed')).toBeVisible();
    expect(standIn.callsTo(userPosts).map(({ url }) => url)).toEqual([
      `/api/admin/users/${user.id}/posts?limit=10`,
    ]);
  });

  test('are ten at most, even if the server sends more', async ({ page, standIn }) => {
    await openUser(page, standIn, { assignments: [], posts: samplePosts(12) });
    await expect(postsOf(page).getByRole('listitem')).toHaveCount(10);
  });

  test('lead to all posts of the user', async ({ page, standIn }) => {
    const user = await openUser(page, standIn, { assignments: [], posts: samplePosts(2) });
    await expect(postsOf(page).getByRole('link', { name: 'See all posts' })).toHaveAttribute(
      'href',
      `/posts?${new URLSearchParams({ userFilter: user.did }).toString()}`,
    );
  });

  test('say No scheduled posts when there are none', async ({ page, standIn }) => {
    await openUser(page, standIn, { assignments: [], posts: [] });
    await expect(postsOf(page).getByText('No scheduled posts')).toBeVisible();
  });
});

test.describe('states', () => {
  test('says Loading... until the user is there', async ({ page, standIn }) => {
    const answer = gate();
    standIn
      .on(userGet, {
        body: { user: sampleUser({ display_name: 'At last' }) },
        until: answer.opened,
      })
      .on(assignmentList, { body: { assignments: [] } })
      .on(userPosts, { body: { posts: [], total: 0 } });
    await visit(page, standIn, '/users/some-user');
    await expect(page.getByText('Loading...')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Back to Users' })).toBeVisible();
    answer.open();
    await expect(page.getByRole('heading', { level: 1, name: 'At last' })).toBeVisible();
    await expect(page.getByText('Loading...')).toHaveCount(0);
  });

  for (const [what, answer, heading] of [
    ['says User not found', { status: 404, body: {} }, 'User not found'],
    ['that is no JSON says User not found', { status: 404, text: '<h1>' }, 'User not found'],
    ["says the server's own words", { status: 404, body: { message: 'Moved away' } }, 'Moved away'],
  ] as const) {
    test(`a 404 ${what}, with a way back`, async ({ page, standIn }) => {
      standIn.on(userGet, answer);
      await visit(page, standIn, '/users/unknown');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
      await expect(page.getByRole('link', { name: 'Back to Users' })).toBeVisible();
      await expect(page.getByText('No user has this ID.', { exact: true })).toBeVisible();
      await expect(page.getByRole('link', { name: 'See all users' })).toHaveAttribute(
        'href',
        '/users',
      );
      await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
    });
  }

  for (const [what, answer, message] of [
    ["the server's words", { status: 500, body: { message: 'Out to lunch' } }, 'Out to lunch'],
    ['no answer', { cut: true }, 'Failed to load user'],
  ] as const) {
    test(`a failed load shows ${what} and tries again`, async ({ page, standIn }) => {
      standIn.on(userGet, answer);
      await visit(page, standIn, '/users/some-user');
      await expect(page.getByRole('alert')).toContainText(message);
      standIn.on(userGet, { body: { user: sampleUser({ display_name: 'Here after all' }) } });
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Here after all' })).toBeVisible();
    });
  }

  test('a user may come without the envelope', async ({ page, standIn }) => {
    standIn.on(userGet, { body: sampleUser({ display_name: 'Bare as can be' }) });
    await visit(page, standIn, '/users/some-user');
    await expect(page.getByRole('heading', { level: 1, name: 'Bare as can be' })).toBeVisible();
  });
});

test.describe('one card that fails leaves the others alive', () => {
  test('the assignments', async ({ page, standIn }) => {
    const logged: string[] = [];
    page.on('console', (entry) => logged.push(entry.text()));
    standIn.on(assignmentList, { status: 400, body: { message: 'Broken' } });
    await openUser(page, standIn, { posts: samplePosts(1) });
    await expect(
      plansOf(page).getByText('The plan assignments could not be loaded.'),
    ).toBeVisible();
    // Logged only: no red box, no false emptiness.
    expect(logged).toContainEqual('Failed to load the plan assignments: Broken');
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(plansOf(page).getByText('No plans assigned')).toHaveCount(0);
    await expect(postsOf(page).getByRole('link', { name: 'Post number 1' })).toBeVisible();
    await expect(managementOf(page).getByRole('button', { name: 'Blocked' })).toBeEnabled();
    standIn.on(assignmentList, { body: { assignments: [sampleAssignment()] } });
    await plansOf(page).getByRole('button', { name: 'Retry' }).click();
    await expect(plansOf(page).getByRole('heading', { name: 'Studio' })).toBeVisible();
  });

  test('the posts', async ({ page, standIn }) => {
    const logged: string[] = [];
    page.on('console', (entry) => logged.push(entry.text()));
    standIn.on(userPosts, { cut: true });
    await openUser(page, standIn, { assignments: [sampleAssignment()] });
    await expect(postsOf(page).getByText('The posts could not be loaded.')).toBeVisible();
    expect(logged).toContainEqual("Failed to load the user's posts: ApiError");
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(postsOf(page).getByText('No scheduled posts')).toHaveCount(0);
    await expect(plansOf(page).getByRole('heading', { name: 'Studio' })).toBeVisible();
    standIn.on(userPosts, { body: { posts: samplePosts(1), total: 1 } });
    await postsOf(page).getByRole('button', { name: 'Retry' }).click();
    await expect(postsOf(page).getByRole('link', { name: 'Post number 1' })).toBeVisible();
  });
});
