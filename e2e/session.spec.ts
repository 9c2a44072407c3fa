import { authLogin, authLogout, authMe, statsGet, userList } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { gate } from './support/gate.ts';
import { ME, sampleUser } from './support/samples.ts';
import { expect, rememberToken, test } from './support/test.ts';
import { storedToken, visit } from './support/visit.ts';

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

async function chooseLogout(page: Page) {
  await page.getByRole('button', { name: /@ana/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
}

const loginForm = (page: Page) => page.getByRole('heading', { name: 'Admin Panel Login' });

test('a visitor without a token is led to /login from everywhere, and no call is made', async ({
  page,
  standIn,
}) => {
  for (const route of ROUTES_BEHIND_LOGIN) {
    await page.goto(`${standIn.url}${route}`);
    await expect(page, route).toHaveURL(`${standIn.url}/login`);
    await expect(loginForm(page)).toBeVisible();
    // Nothing to excuse: there was no session.
    await expect(page.getByRole('status')).toHaveCount(0);
  }
  expect(standIn.calls).toEqual([]);
});

test.describe('at the start', () => {
  for (const [path, calls] of [
    // What the page will need is on its way meanwhile, and waits with it.
    ['/users', [authMe.name, userList.name]],
    ['/login', [authMe.name]],
  ] as const) {
    test(`${path} shows a loading indicator until it is known who is there`, async ({
      page,
      standIn,
    }) => {
      const answer = gate();
      standIn.on(authMe, { body: ME, until: answer.opened });
      standIn.on(userList, {
        body: { users: [sampleUser({ handle: 'early.example' })], total: 1 },
      });
      await rememberToken(page, 'a-token');
      await page.goto(`${standIn.url}${path}`);
      await expect
        .poll(() => standIn.calls.map(({ endpoint }) => endpoint).toSorted())
        .toEqual(calls);
      // Everything there is has come, but who asks is not known: nothing of it is shown.
      await page.waitForFunction(
        (count) =>
          performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/'))
            .length >= count,
        calls.length - 1,
      );
      await expect(page.getByRole('status')).toHaveText('Loading...');
      await expect(page.getByRole('navigation')).toHaveCount(0);
      await expect(page.getByText('early.example')).toHaveCount(0);
      await expect(loginForm(page)).toHaveCount(0);
      expect(new Set(standIn.calls.map(({ token }) => token))).toEqual(new Set(['a-token']));
      answer.open();
      await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
      if (path === '/users') await expect(page.getByText('early.example')).toBeVisible();
      // It was the same answer: the page did not ask twice.
      expect(standIn.callsTo(userList)).toHaveLength(path === '/users' ? 1 : 0);
    });
  }

  test('leaving the page before it is known ends no session', async ({ page, standIn }) => {
    const never = gate();
    standIn.on(authMe, { body: ME, until: never.opened });
    await rememberToken(page, 'a-token');
    await page.goto(`${standIn.url}/users`);
    await expect(page.getByRole('status')).toHaveText('Loading...');
    standIn.on(authMe, { body: ME });
    await page.reload();
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    expect(await storedToken(page)).toBe('a-token');
  });

  for (const [what, answer, notice] of [
    ['refused', { status: 401, body: { message: 'No' } }, 'Your session has ended'],
    ['failed', { status: 500, body: {} }, 'Your session could not be confirmed'],
    ['not answered', { cut: true }, 'Your session could not be confirmed'],
  ] as const) {
    test(`a token whose check is ${what} is cleared, and the login says why`, async ({
      page,
      standIn,
    }) => {
      standIn.on(authMe, answer);
      await rememberToken(page, 'a-token');
      await page.goto(`${standIn.url}/users`);
      await expect(page).toHaveURL(`${standIn.url}/login`);
      await expect(page.getByRole('status')).toContainText(notice);
      expect(await storedToken(page)).toBeNull();
    });
  }
});

for (const [which, first, last] of [
  ['the check', authMe, userList],
  ['the data', userList, authMe],
] as const) {
  test(`a token refused to all calls at the start ends on /login once, ${which} refused first`, async ({
    page,
    standIn,
  }) => {
    const refused = { status: 401, body: { message: 'Session expired' } };
    const later = gate();
    standIn.on(first, refused).on(last, { ...refused, until: later.opened });
    await rememberToken(page, 'old-token');
    await page.goto(`${standIn.url}/users?status=BLOCKED`);
    await expect.poll(() => standIn.calls.length).toBe(2);
    if (first === userList) {
      // Of the session itself nothing is known yet.
      await expect(page.getByRole('status')).toHaveText('Loading...');
      later.open();
    }
    await expect(page).toHaveURL(`${standIn.url}/login`);
    await expect(page.getByRole('status')).toHaveText(
      'Your session has ended. Please log in again.',
    );
    expect(await storedToken(page)).toBeNull();
    later.open();

    // The next administrator gets responses to their own calls, at the interrupted address.
    standIn.on(userList, { body: { users: [sampleUser({ handle: 'next.example' })], total: 1 } });
    standIn.on(authMe, { body: ME }).on(authLogin, { body: { token: 'next-token', admin: ME } });
    await page.getByRole('textbox', { name: 'Username' }).fill('ana');
    await page.getByRole('textbox', { name: 'Password' }).fill('a long secret');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL(`${standIn.url}/users?status=BLOCKED`);
    await expect(page.getByText('next.example')).toBeVisible();
    expect(standIn.callsTo(userList).map(({ token }) => token)).toEqual([
      'old-token',
      'next-token',
    ]);
  });
}

test.describe('in the middle of work', () => {
  test('a 401 clears the token, says that the session has ended, and the login returns', async ({
    page,
    standIn,
  }) => {
    const place = '/users?status=BLOCKED&page=2';
    const users = Array.from({ length: 20 }, () => sampleUser({ status: 'BLOCKED' }));
    let isEnded = false;
    standIn.on(userList, () =>
      isEnded
        ? { status: 401, body: { message: 'Session expired' } }
        : { body: { users, total: 60 } },
    );
    await visit(page, standIn, place);
    await expect(page.getByText('Showing 21 to 40 of 60 users')).toBeVisible();

    isEnded = true;
    await page.getByRole('link', { name: 'Next' }).click();
    await expect(loginForm(page)).toBeVisible();
    await expect(page).toHaveURL(`${standIn.url}/login`);
    await expect(page.getByRole('status')).toHaveText(
      'Your session has ended. Please log in again.',
    );
    expect(await storedToken(page)).toBeNull();

    isEnded = false;
    standIn.on(authLogin, { body: { token: 'next-token', admin: ME } });
    await page.getByRole('textbox', { name: 'Username' }).fill('ana');
    await page.getByRole('textbox', { name: 'Password' }).fill('a long secret');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL(`${standIn.url}/users?status=BLOCKED&page=3`);
    await expect(page.getByText('Showing 41 to 60 of 60 users')).toBeVisible();
    expect(standIn.callsTo(userList).at(-1)?.token).toBe('next-token');
  });

  test('a server that cannot be reached ends no session', async ({ page, standIn }) => {
    standIn.on(statsGet, { status: 503, body: {} });
    await visit(page, standIn, '/');
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
    expect(await storedToken(page)).toBe('a-token');
  });
});

test.describe('Logout', () => {
  test('clears the token, goes to /login and tells the server', async ({ page, standIn }) => {
    standIn.on(authLogout, { body: { success: true } });
    await visit(page, standIn, '/users');
    await chooseLogout(page);
    await expect(loginForm(page)).toBeVisible();
    await expect(page).toHaveURL(`${standIn.url}/login`);
    await expect(page.getByRole('status')).toHaveCount(0);
    expect(await storedToken(page)).toBeNull();
    await expect
      .poll(() => standIn.callsTo(authLogout).map(({ token }) => token))
      .toEqual(['a-token']);
    // It was a choice: the next login starts afresh.
    standIn.on(authLogin, { body: { token: 'next-token', admin: ME } });
    await page.getByRole('textbox', { name: 'Username' }).fill('ana');
    await page.getByRole('textbox', { name: 'Password' }).fill('a long secret');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL(`${standIn.url}/`);
  });

  for (const [what, answer] of [
    ['refuses', { status: 500, body: {} }],
    ['has no such call', { status: 404, body: { message: 'Not found' } }],
    ['does not answer', { cut: true }],
  ] as const) {
    test(`works when the server ${what}`, async ({ page, standIn }) => {
      standIn.on(authLogout, answer);
      await visit(page, standIn, '/users');
      await chooseLogout(page);
      await expect(loginForm(page)).toBeVisible();
      expect(await storedToken(page)).toBeNull();
      await page.reload();
      await expect(loginForm(page)).toBeVisible();
    });
  }

  test('waits for no answer', async ({ page, standIn }) => {
    const never = gate();
    standIn.on(authLogout, { body: { success: true }, until: never.opened });
    await visit(page, standIn, '/users');
    await chooseLogout(page);
    await expect(loginForm(page)).toBeVisible();
    expect(await storedToken(page)).toBeNull();
  });

  test('in one tab logs out the others', async ({ page, context, standIn }) => {
    standIn.on(userList, { body: { users: [sampleUser()], total: 1 } });
    await visit(page, standIn, '/users');
    const other = await context.newPage();
    await other.goto(`${standIn.url}/password`);
    await expect(other.getByRole('heading', { name: 'Change Password' })).toBeVisible();
    await chooseLogout(page);
    await expect(loginForm(other)).toBeVisible();
    await expect(other).toHaveURL(`${standIn.url}/login`);
    // It was not this tab's choice: it says why, and the login returns.
    await expect(other.getByRole('status')).toHaveText(
      'You were logged out in another tab. Please log in again.',
    );
    await expect(page.getByRole('status')).toHaveCount(0);
    standIn.on(authLogin, { body: { token: 'next-token', admin: ME } });
    await other.getByRole('textbox', { name: 'Username' }).fill('ana');
    await other.getByRole('textbox', { name: 'Password' }).fill('a long secret');
    await other.getByRole('button', { name: 'Log in' }).click();
    await expect(other).toHaveURL(`${standIn.url}/password`);
  });

  test('and login in one tab are followed by the other', async ({ page, context, standIn }) => {
    standIn.on(authLogin, { body: { token: 'next-token', admin: ME } });
    await visit(page, standIn, '/users');
    const other = await context.newPage();
    await other.goto(`${standIn.url}/password`);
    await chooseLogout(page);
    await expect(loginForm(other)).toBeVisible();
    await page.getByRole('textbox', { name: 'Username' }).fill('ana');
    await page.getByRole('textbox', { name: 'Password' }).fill('a long secret');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page).toHaveURL(`${standIn.url}/`);
    await expect(other.getByRole('navigation', { name: 'Main' })).toBeVisible();
  });

  test('ends the session on the real server too', async ({ page, meridian }) => {
    const { token } = await meridian.call(authLogin, {
      body: { username: 'admin', password: 'correct-horse-battery-staple' },
    });
    await rememberToken(page, token);
    const answered = page.waitForResponse(`${meridian.url}/api/admin/auth/logout`);
    await page.goto(`${meridian.url}/users`);
    await page.getByRole('button', { name: /@admin/ }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(loginForm(page)).toBeVisible();
    expect((await answered).status()).toBe(200);
    const again = await fetch(`${meridian.url}${authMe.path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(again.status).toBe(401);
  });
});
