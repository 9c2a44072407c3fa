import { authLogout, authMe, userList } from '@meridian/contract';
import { isCallTo } from './support/calls.ts';
import { endSessionAtCall } from './support/end-session.ts';
import { logIn, loginHeading, logOut } from './support/login-page.ts';
import { withCursor } from './support/page-address.ts';
import { withoutEvents } from './support/open-requests.ts';
import { expect, rememberToken, test } from './support/test.ts';
import { storedToken } from './support/token.ts';

const ROUTES_BEHIND_LOGIN = [
  '/',
  '/users',
  '/users/some-user',
  '/posts',
  '/posts/some-post',
  '/tickets',
  '/tickets/issue',
  '/tickets/some-ticket',
  '/plans',
  '/plans/create',
  '/plans/some-plan/edit',
  '/settings',
  '/settings/currencies/create',
  '/settings/currencies/some-currency/edit',
  '/password',
  '/no-such-page',
];

const ENDED = 'Your session has ended. Please log in again.';

// Proves 2.1
test('a visitor without a token is led to /login from everywhere, and no call is made', async ({
  page,
  visitor,
}) => {
  for (const route of ROUTES_BEHIND_LOGIN) {
    await visitor.open(route);
    await expect(page, route).toHaveURL(`${visitor.url}/login`);
    await expect(loginHeading(page)).toBeVisible();
    // There was no session that could have ended.
    await expect(page.getByRole('status')).toHaveCount(0);
  }
  expect(visitor.calls).toEqual([]);
});

for (const [path, calls] of [
  // The data of the page is requested at the same time, and shown after the check.
  ['/users', [authMe.name, userList.name]],
  ['/login', [authMe.name]],
] as const) {
  // Proves 2.2, 4.2, 7.7
  test(`${path} shows a loading indicator until the token is checked`, async ({ page, app }) => {
    await withoutEvents(page);
    await app.rows.user({ handle: 'early.example' });
    const held = await app.hold(authMe);
    await app.open(path);
    await expect.poll(() => app.calls.map(({ endpoint }) => endpoint).toSorted()).toEqual(calls);
    await page.waitForFunction(
      (count) =>
        performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/'))
          .length >= count,
      calls.length - 1,
    );
    await expect(page.getByRole('status')).toHaveText('Loading...');
    await expect(page.getByRole('navigation')).toHaveCount(0);
    await expect(page.getByText('early.example')).toHaveCount(0);
    await expect(loginHeading(page)).toHaveCount(0);
    const token = await storedToken(page);
    expect(new Set(app.calls.map((call) => call.token))).toEqual(new Set([token]));
    held.release();
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    if (path === '/users') await expect(page.getByText('early.example')).toBeVisible();
    expect(app.callsTo(userList)).toHaveLength(path === '/users' ? 1 : 0);
  });
}

test('leaving the page before the token is checked ends no session', async ({ page, app }) => {
  await app.hold(authMe);
  await app.open('/users');
  await expect(page.getByRole('status')).toHaveText('Loading...');
  const token = await storedToken(page);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.reload();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  expect(await storedToken(page)).toBe(token);
});

for (const [which, late] of [
  ['the check', userList],
  ['the data', authMe],
] as const) {
  // Proves 4.3, 8.44
  test(`an invalid token is cleared, and the login says why, ${which} refused first`, async ({
    page,
    visitor,
  }) => {
    await withoutEvents(page);
    await visitor.rows.user({ handle: 'next.example', status: 'BLOCKED' });
    const held = await visitor.hold(late);
    await rememberToken(page, 'an-invalid-token');
    await visitor.open('/users?status=BLOCKED');
    await expect.poll(() => visitor.calls.length).toBe(2);
    if (late === authMe) {
      // A refused list says nothing about the session yet.
      await expect(page.getByRole('status')).toHaveText('Loading...');
      held.release();
    }
    await expect(page).toHaveURL(`${visitor.url}/login`);
    await expect(page.getByRole('status')).toHaveText(ENDED);
    expect(await storedToken(page)).toBeNull();
    held.release();

    // The next session gets responses to its own requests, at the interrupted address.
    await logIn(page);
    await expect(page).toHaveURL(`${visitor.url}/users?status=BLOCKED`);
    await expect(page.getByText('next.example')).toBeVisible();
    expect(visitor.callsTo(userList).map(({ token }) => token)).toEqual([
      'an-invalid-token',
      await storedToken(page),
    ]);
  });
}

test('a 401 in the middle of work clears the token, says that the session has ended, and the login returns', async ({
  page,
  visitor,
}) => {
  await visitor.rows.users(60, { status: 'BLOCKED' });
  const token = await visitor.signInAs('ana', 'Ana Okafor');
  // It would notice the end of the session by itself, before the click.
  await withoutEvents(page);
  await visitor.open('/users?status=BLOCKED&page=2');
  await expect(page.getByText('Showing 21 to 40 of 60 users')).toBeVisible();

  await endSessionAtCall(page, { url: visitor.url, token }, isCallTo(userList));
  // Without a pointer: pointing at the link would read the next page before the click.
  await page.getByRole('link', { name: 'Next' }).dispatchEvent('click');
  await expect(loginHeading(page)).toBeVisible();
  await expect(page).toHaveURL(`${visitor.url}/login`);
  await expect(page.getByRole('status')).toHaveText(ENDED);
  expect(await storedToken(page)).toBeNull();

  await logIn(page, 'ana');
  await expect(page).toHaveURL(withCursor(`${visitor.url}/users?status=BLOCKED&page=3`));
  await expect(page.getByText('Showing 41 to 60 of 60 users')).toBeVisible();
  expect(visitor.callsTo(userList).at(-1)?.token).toBe(await storedToken(page));
});

// Proves 2.27, 4.4
test('Logout clears the token, goes to /login and ends the session on the server', async ({
  page,
  visitor,
}) => {
  const token = await visitor.signInAs('ana', 'Ana Okafor');
  const response = page.waitForResponse(visitor.url + authLogout.path);
  await visitor.open('/users');
  await logOut(page, 'ana');
  await expect(loginHeading(page)).toBeVisible();
  await expect(page).toHaveURL(`${visitor.url}/login`);
  await expect(page.getByRole('status')).toHaveCount(0);
  expect(await storedToken(page)).toBeNull();
  expect((await response).status()).toBe(200);
  expect(visitor.callsTo(authLogout).map((call) => call.token)).toEqual([token]);
  const again = await fetch(visitor.url + authMe.path, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(again.status).toBe(401);
  // It was a choice: the next login starts at the dashboard.
  await logIn(page, 'ana');
  await expect(page).toHaveURL(`${visitor.url}/`);
});

test('Logout in one tab logs out the others, which say why and return after the login', async ({
  page,
  context,
  visitor,
}) => {
  await visitor.signInAs('ana', 'Ana Okafor');
  await visitor.open('/users');
  const other = await context.newPage();
  await other.goto(`${visitor.url}/password`);
  await expect(other.getByRole('heading', { name: 'Change Password' })).toBeVisible();
  await logOut(page, 'ana');
  await expect(loginHeading(other)).toBeVisible();
  await expect(other).toHaveURL(`${visitor.url}/login`);
  await expect(other.getByRole('status')).toHaveText(
    'You were logged out in another tab. Please log in again.',
  );
  await expect(page.getByRole('status')).toHaveCount(0);
  await logIn(other, 'ana');
  await expect(other).toHaveURL(`${visitor.url}/password`);
});
