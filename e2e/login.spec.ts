import { authLogin, authMe, statsGet } from '@meridian/contract';
import { isCallTo } from './support/calls.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import {
  fillLogin,
  logIn,
  loginButton,
  loginHeading,
  passwordField,
  usernameField,
} from './support/login-page.ts';
import { ADMIN } from './support/meridian.ts';
import { expect, test } from './support/test.ts';
import { storedToken } from './support/token.ts';

// Proves 2.28
test('asks for user name and password, and nothing else', async ({ page, visitor }) => {
  await visitor.open('/login');
  await expect(loginHeading(page)).toBeVisible();
  await expect(page).toHaveTitle('Admin Panel Login · Meridian');
  await expect(page.getByRole('main').getByText('Meridian', { exact: true })).toBeVisible();
  await expect(usernameField(page)).toBeFocused();
  await expect(page.getByRole('textbox')).toHaveCount(2);
  await expect(usernameField(page)).toHaveAttribute('autocomplete', 'username');
  await expect(passwordField(page)).toHaveAttribute('autocomplete', 'current-password');
  await expect(passwordField(page)).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(passwordField(page)).toHaveAttribute('type', 'text');

  await loginButton(page).click();
  await expect(usernameField(page)).toHaveAccessibleDescription('Username is required');
  await expect(passwordField(page)).toHaveAccessibleDescription('Password is required');
  await expect(usernameField(page)).toBeFocused();
  expect(visitor.calls).toEqual([]);
});

// Proves 2.29, 2.30, 4.1, 4.37, 7.6, 9.1
test('says Logging in..., sends once and without a credential, stores the token, goes to /', async ({
  page,
  visitor,
}) => {
  // Without a session there is no page to return to.
  await visitor.open('/users?status=BLOCKED');
  await expect(page).toHaveURL(`${visitor.url}/login`);
  const held = await visitor.hold(authLogin);
  await fillLogin(page);
  await expect(loginButton(page)).toHaveAccessibleName('Log in');
  await loginButton(page).dblclick();
  await expect(loginButton(page)).toHaveAccessibleName('Logging in...');
  await page.keyboard.press('Enter');
  expect(await storedToken(page)).toBeNull();

  held.release();
  await expect(page).toHaveURL(`${visitor.url}/`);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(page.getByRole('button', { name: `@${ADMIN.username}` })).toBeVisible();
  const token = await storedToken(page);
  expect(token).not.toBeNull();
  expect(visitor.callsTo(authLogin)).toEqual([
    expect.objectContaining({
      url: '/api/admin/auth/login',
      method: 'POST',
      body: ADMIN,
      token: null,
    }),
  ]);
  expect(visitor.callsTo(statsGet)[0]?.token).toBe(token);
});

test('the sidebar appears once it is known what the server offers, and nothing in it moves', async ({
  page,
  visitor,
}) => {
  await watchLayoutShift(page);
  await visitor.open('/login');
  const offer = await visitor.hold(authMe);
  const read = page.waitForResponse((response) => isCallTo(statsGet)(response.request()));
  await logIn(page);
  // The data of the next page does not wait for it.
  await (await read).finished();
  await expect(loginButton(page)).toHaveAccessibleName('Logging in...');
  offer.release();
  await expect(page.getByRole('button', { name: 'Find anything' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Operations' })).toBeVisible();
  await expectNoLayoutShift(page);
});

// Proves 4.5, 8.6, 8.45
test('a refused login says so, leaves no token, and can be repeated', async ({ page, visitor }) => {
  await visitor.open('/login');
  await logIn(page, ADMIN.username, 'not the password');
  await expect(page.getByRole('alert')).toHaveText('Invalid username or password');
  await expect(page).toHaveURL(`${visitor.url}/login`);
  expect(await storedToken(page)).toBeNull();
  await expect(loginButton(page)).toHaveAccessibleName('Log in');
  await expect(passwordField(page)).toBeFocused();
  await expect(usernameField(page)).toHaveValue(ADMIN.username);
  await passwordField(page).fill(ADMIN.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${visitor.url}/`);
});

// Proves 2.3
test('a signed-in visitor is led to /', async ({ page, app }) => {
  await app.open('/login');
  await expect(page).toHaveURL(`${app.url}/`);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});
