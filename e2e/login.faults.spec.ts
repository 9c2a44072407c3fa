import { authLogin, authMe } from '@meridian/contract';
import { logIn, loginButton, passwordField, usernameField } from './support/login-page.ts';
import { ME } from './support/samples.ts';
import type { StandIn } from './support/stand-in.ts';
import { expect, test } from './support/test.ts';
import { storedToken } from './support/visit.ts';

/** A server at which 'ana' can log in. */
function acceptsLogin(standIn: StandIn): StandIn {
  return standIn
    .on(authLogin, { body: { token: 'new-token', admin: ME } })
    .on(authMe, ({ token }) => (token === 'new-token' ? { body: ME } : { status: 401 }));
}

// Proves 8.7
test('a login that fails says so, leaves no token, and can be repeated', async ({
  page,
  standIn,
}) => {
  for (const [response, message] of [
    [
      { status: 401, body: { message: 'Bad credentials, code 17' } },
      'Invalid username or password',
    ],
    [
      { status: 429, body: { message: 'Too many attempts. Wait a moment and try again' } },
      'Too many attempts. Wait a moment and try again',
    ],
    [{ status: 502, text: '<h1>Bad gateway</h1>' }, 'Request failed'],
    [{ status: 500, body: {} }, 'HTTP 500'],
    [{ cut: true }, 'Login failed. Please check your credentials.'],
    [{ body: {} }, 'Login failed. Please check your credentials.'],
  ] as const) {
    await test.step(JSON.stringify(response), async () => {
      standIn.on(authLogin, response);
      await page.goto(`${standIn.url}/login`);
      await logIn(page, 'ana', 'a long secret');
      await expect(page.getByRole('alert')).toHaveText(message);
      await expect(page).toHaveURL(/\/login$/);
      expect(await storedToken(page)).toBeNull();
      await expect(loginButton(page)).toHaveAccessibleName('Log in');
      // What has to be typed again has the focus, and what was typed is still there.
      await expect(passwordField(page)).toBeFocused();
      await expect(usernameField(page)).toHaveValue('ana');
    });
  }
  acceptsLogin(standIn);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${standIn.url}/`);
});

// Proves 8.41, 8.43
test('a failed current-admin call right after the login is only logged', async ({
  page,
  standIn,
}) => {
  const logged: string[] = [];
  page.on('console', (entry) => logged.push(entry.text()));
  acceptsLogin(standIn).on(authMe, { status: 500, body: {} });
  await page.goto(`${standIn.url}/login`);
  await logIn(page, 'ana', 'a long secret');
  await expect(page.getByRole('button', { name: 'Ana Okafor @ana' })).toBeVisible();
  await expect
    .poll(() => logged)
    .toContainEqual('Could not load the current administrator: HTTP 500');
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(await storedToken(page)).toBe('new-token');
});
