import { authLogin, authMe, statsGet } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { gate } from './support/gate.ts';
import { ADMIN } from './support/meridian.ts';
import { ME } from './support/samples.ts';
import type { StandIn } from './support/stand-in.ts';
import { expect, test } from './support/test.ts';
import { storedToken, visit } from './support/visit.ts';

const username = (page: Page) => page.getByRole('textbox', { name: 'Username' });
const password = (page: Page) => page.getByRole('textbox', { name: 'Password' });
const submit = (page: Page) => page.getByRole('button', { name: /^Log/ });

async function fillIn(page: Page) {
  await username(page).fill('ana');
  await password(page).fill('a long secret');
}

/** A server at which 'ana' can log in. */
function welcoming(standIn: StandIn): StandIn {
  return standIn
    .on(authLogin, { body: { token: 'new-token', admin: ME } })
    .on(authMe, ({ token }) => (token === 'new-token' ? { body: ME } : { status: 401 }));
}

test('asks for user name and password, and nothing else', async ({ page, standIn }) => {
  await page.goto(`${standIn.url}/login`);
  await expect(page.getByRole('heading', { level: 1, name: 'Admin Panel Login' })).toBeVisible();
  await expect(page).toHaveTitle('Admin Panel Login · Meridian');
  await expect(page.getByRole('textbox')).toHaveCount(2);
  await expect(username(page)).toHaveAttribute('autocomplete', 'username');
  await expect(password(page)).toHaveAttribute('autocomplete', 'current-password');
  await expect(password(page)).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password(page)).toHaveAttribute('type', 'text');
  expect(standIn.calls).toEqual([]);
});

test('says what product this is, and typing can begin at once', async ({ page, standIn }) => {
  await page.goto(`${standIn.url}/login`);
  await expect(page.getByRole('main').getByText('Meridian', { exact: true })).toBeVisible();
  await expect(username(page)).toBeFocused();
});

test('says Logging in..., sends once and without a credential, stores the token, goes to /', async ({
  page,
  standIn,
}) => {
  const answer = gate();
  welcoming(standIn).on(authLogin, {
    body: { token: 'new-token', admin: ME },
    until: answer.opened,
  });
  await page.goto(`${standIn.url}/login`);
  await fillIn(page);
  await expect(submit(page)).toHaveAccessibleName('Log in');
  await submit(page).dblclick();
  await expect(submit(page)).toHaveAccessibleName('Logging in...');
  await page.keyboard.press('Enter');
  expect(await storedToken(page)).toBeNull();

  answer.open();
  await expect(page).toHaveURL(`${standIn.url}/`);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  expect(await storedToken(page)).toBe('new-token');
  expect(standIn.callsTo(authLogin)).toEqual([
    expect.objectContaining({
      url: '/api/admin/auth/login',
      method: 'POST',
      body: { username: 'ana', password: 'a long secret' },
      token: null,
    }),
  ]);
  expect(standIn.callsTo(statsGet)[0]?.token).toBe('new-token');
});

test('a server that answers the token alone is enough', async ({ page, standIn }) => {
  welcoming(standIn).on(authLogin, { body: { token: 'new-token' } });
  await page.goto(`${standIn.url}/login`);
  await fillIn(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /@ana/ })).toBeVisible();
});

test('a failed look at who that is, right after the login, is only logged', async ({
  page,
  standIn,
}) => {
  const logged: string[] = [];
  page.on('console', (entry) => logged.push(entry.text()));
  welcoming(standIn).on(authMe, { status: 500, body: {} });
  await page.goto(`${standIn.url}/login`);
  await fillIn(page);
  await submit(page).click();
  await expect(page.getByRole('button', { name: 'Ana Okafor @ana' })).toBeVisible();
  await expect
    .poll(() => logged)
    .toContainEqual('Could not load the current administrator: HTTP 500');
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(await storedToken(page)).toBe('new-token');
});

test.describe('a failed login', () => {
  for (const [what, answer, message] of [
    [
      'a refusal, in whatever words,',
      { status: 401, body: { message: 'Bad credentials, code 17' } },
      'Invalid username or password',
    ],
    [
      'another answer with a message',
      { status: 429, body: { message: 'Too many attempts. Wait a moment and try again' } },
      'Too many attempts. Wait a moment and try again',
    ],
    ['an answer that is no JSON', { status: 502, text: '<h1>Bad gateway</h1>' }, 'Request failed'],
    ['an answer without a message', { status: 500, body: {} }, 'HTTP 500'],
    ['no answer at all', { cut: true }, 'Login failed. Please check your credentials.'],
    ['a success without a token', { body: {} }, 'Login failed. Please check your credentials.'],
  ] as const) {
    test(`${what} says so and leaves no token`, async ({ page, standIn }) => {
      standIn.on(authLogin, answer);
      await page.goto(`${standIn.url}/login`);
      await fillIn(page);
      await submit(page).click();
      await expect(page.getByRole('alert')).toHaveText(message);
      await expect(page).toHaveURL(/\/login$/);
      expect(await storedToken(page)).toBeNull();
      await expect(submit(page)).toHaveAccessibleName('Log in');
      // What has to be typed again has the focus, and what was typed is still there.
      await expect(password(page)).toBeFocused();
      await expect(username(page)).toHaveValue('ana');

      welcoming(standIn);
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(`${standIn.url}/`);
    });
  }

  test('names the fields that are empty and asks no server', async ({ page, standIn }) => {
    await page.goto(`${standIn.url}/login`);
    await submit(page).click();
    await expect(username(page)).toHaveAccessibleDescription('Username is required');
    await expect(password(page)).toHaveAccessibleDescription('Password is required');
    await expect(username(page)).toBeFocused();
    expect(standIn.calls).toEqual([]);
  });
});

test('a visitor without a session is led to / after the login', async ({ page, standIn }) => {
  welcoming(standIn);
  await page.goto(`${standIn.url}/users?status=BLOCKED`);
  await expect(page).toHaveURL(`${standIn.url}/login`);
  await fillIn(page);
  await submit(page).click();
  await expect(page).toHaveURL(`${standIn.url}/`);
});

test('a signed-in visitor is led to /', async ({ page, standIn }) => {
  await visit(page, standIn, '/login');
  await expect(page).toHaveURL(`${standIn.url}/`);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

test('works on the real server, right and wrong', async ({ page, meridian }) => {
  await page.goto(`${meridian.url}/login`);
  await username(page).fill(ADMIN.username);
  await password(page).fill('not the password');
  await submit(page).click();
  await expect(page.getByRole('alert')).toHaveText('Invalid username or password');
  await password(page).fill(ADMIN.password);
  await submit(page).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(page.getByRole('button', { name: `@${ADMIN.username}` })).toBeVisible();
});
