import { authLogin, authMe, authPassword, statsGet } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { gate } from './support/gate.ts';
import { ADMIN, startMeridian } from './support/meridian.ts';
import { stopClock, tickUntil } from './support/stopped-clock.ts';
import { expect, rememberToken, test } from './support/test.ts';
import { storedToken, visit } from './support/visit.ts';

const NEW_PASSWORD = 'stapled-battery-horses';

const current = (page: Page) => page.getByRole('textbox', { name: 'Current password' });
const wanted = (page: Page) => page.getByRole('textbox', { name: 'New password', exact: true });
const confirmed = (page: Page) => page.getByRole('textbox', { name: 'Confirm new password' });
const submit = (page: Page) => page.getByRole('main').getByRole('button', { name: /^Chang/ });

async function fillIn(page: Page, old = 'the old one', next = NEW_PASSWORD, again = next) {
  await current(page).fill(old);
  await wanted(page).fill(next);
  await confirmed(page).fill(again);
}

test('has three fields and says Changing... while it works', async ({ page, standIn }) => {
  const answer = gate();
  standIn.on(authPassword, { body: { success: true }, until: answer.opened });
  await visit(page, standIn, '/password');
  await expect(page.getByRole('heading', { level: 1, name: 'Change Password' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(3);
  // What another server does with other sessions is not known.
  await expect(page.getByText(/signed out/)).toHaveCount(0);
  await fillIn(page);
  await submit(page).dblclick();
  await expect(submit(page)).toHaveAccessibleName('Changing...');
  answer.open();
  await expect(page.getByText('Password changed successfully')).toBeVisible();
  expect(standIn.callsTo(authPassword)).toEqual([
    expect.objectContaining({
      method: 'PUT',
      url: '/api/admin/auth/password',
      body: { currentPassword: 'the old one', newPassword: NEW_PASSWORD },
      token: 'a-token',
    }),
  ]);
});

test('typing can begin at once on a direct visit; a link leads to the heading', async ({
  page,
  standIn,
}) => {
  await visit(page, standIn, '/password');
  await expect(current(page)).toBeFocused();
  await page.goto(`${standIn.url}/`);
  await page.getByRole('button', { name: /@ana/ }).click();
  await page.getByRole('menuitem', { name: 'Change Password' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Change Password' })).toBeFocused();
});

test('goes to / two seconds after the success, and asks nothing on the way', async ({
  page,
  standIn,
}) => {
  await page.clock.install();
  standIn.on(authPassword, { body: { success: true } });
  await visit(page, standIn, '/password');
  await fillIn(page);
  await stopClock(page);
  await submit(page).click();
  const success = page.getByText('Password changed successfully');
  await tickUntil(page, () => success.isVisible());
  await page.clock.runFor(1900);
  await expect(page).toHaveURL(`${standIn.url}/password`);
  await expect(success).toBeVisible();
  await page.clock.runFor(200);
  await expect(page).toHaveURL(`${standIn.url}/`);
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});

test.describe('refuses', () => {
  test('a new password of fewer than 8 characters', async ({ page, standIn }) => {
    await visit(page, standIn, '/password');
    await fillIn(page, 'the old one', '1234567');
    await submit(page).click();
    await expect(wanted(page)).toHaveAccessibleDescription(
      /^New password must be at least 8 characters/,
    );
    await expect(wanted(page)).toBeFocused();
    expect(standIn.callsTo(authPassword)).toEqual([]);
    // The eighth character settles it.
    await wanted(page).fill('12345678');
    await expect(page.getByText('New password must be at least 8 characters')).toHaveCount(0);
  });

  test('a confirmation that differs', async ({ page, standIn }) => {
    await visit(page, standIn, '/password');
    await fillIn(page, 'the old one', NEW_PASSWORD, `${NEW_PASSWORD}!`);
    await submit(page).click();
    await expect(confirmed(page)).toHaveAccessibleDescription('New passwords do not match');
    await expect(confirmed(page)).toBeFocused();
    expect(standIn.callsTo(authPassword)).toEqual([]);
  });

  test('empty fields', async ({ page, standIn }) => {
    await visit(page, standIn, '/password');
    await submit(page).click();
    await expect(current(page)).toHaveAccessibleDescription('Current password is required');
    await expect(current(page)).toBeFocused();
    expect(standIn.callsTo(authPassword)).toEqual([]);
  });
});

test.describe('a failed change', () => {
  for (const [what, answer, message] of [
    [
      "the server's words",
      { status: 400, body: { message: 'Not on a Sunday' } },
      'Not on a Sunday',
    ],
    ['a body that is no JSON', { status: 502, text: 'Bad gateway' }, 'Request failed'],
    ['no message', { status: 500, body: {} }, 'HTTP 500'],
    ['no answer', { cut: true }, 'Password change failed'],
  ] as const) {
    test(`shows ${what}, keeps what was typed, and can be repeated`, async ({ page, standIn }) => {
      standIn.on(authPassword, answer);
      await visit(page, standIn, '/password');
      await fillIn(page);
      await submit(page).click();
      await expect(page.getByRole('alert')).toContainText(message);
      await expect(current(page)).toHaveValue('the old one');
      await expect(page).toHaveURL(`${standIn.url}/password`);
      expect(await storedToken(page)).toBe('a-token');
      standIn.on(authPassword, { body: { success: true } });
      await submit(page).click();
      await expect(page.getByText('Password changed successfully')).toBeVisible();
      await expect(page.getByRole('alert')).toHaveCount(0);
    });
  }

  for (const [what, code] of [
    ['by its code', { code: 'wrong_current_password' }],
    ['by its words, where there is no code', {}],
  ] as const) {
    test(`a wrong current password is known ${what}, and said at its field`, async ({
      page,
      standIn,
    }) => {
      const message = 'Current password is incorrect';
      standIn.on(authPassword, { status: 400, body: { message, ...code } });
      await visit(page, standIn, '/password');
      await fillIn(page);
      await submit(page).click();
      await expect(current(page)).toHaveAccessibleDescription(message);
      await expect(current(page)).toBeFocused();
      await expect(page.getByRole('alert')).toHaveCount(0);
      // Typing another one takes it back.
      await current(page).fill('another one');
      await expect(page.getByText(message)).toHaveCount(0);
      standIn.on(authPassword, { body: { success: true } });
      await submit(page).click();
      await expect(page.getByText('Password changed successfully')).toBeVisible();
    });
  }

  test('a 401 is about the current password while the token is still good', async ({
    page,
    standIn,
  }) => {
    const message = 'That is not your password';
    standIn.on(authPassword, { status: 401, body: { message } });
    await visit(page, standIn, '/password');
    await fillIn(page);
    await submit(page).click();
    await expect(current(page)).toHaveAccessibleDescription(message);
    await expect(page).toHaveURL(`${standIn.url}/password`);
    expect(await storedToken(page)).toBe('a-token');
    // Once the token is refused as well, the session has ended.
    standIn.on(authMe, { status: 401, body: { message: 'Expired' } });
    await submit(page).click();
    await expect(page).toHaveURL(`${standIn.url}/login`);
    await expect(page.getByRole('status')).toHaveText(
      'Your session has ended. Please log in again.',
    );
    expect(await storedToken(page)).toBeNull();
  });

  test("puts the server's words at the field they concern", async ({ page, standIn }) => {
    const message = 'This password is too easy to guess';
    standIn.on(authPassword, {
      status: 400,
      body: { message: 'Invalid', issues: [{ path: 'newPassword', message }] },
    });
    await visit(page, standIn, '/password');
    await fillIn(page);
    await submit(page).click();
    await expect(wanted(page)).toHaveAccessibleDescription(new RegExp(`^${message}`));
    await expect(wanted(page)).toBeFocused();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
});

test('leaving with something typed asks first', async ({ page, standIn }) => {
  standIn.on(statsGet, { status: 404 });
  await visit(page, standIn, '/password');
  await current(page).fill('half');
  const toUsers = page.getByRole('link', { name: 'Users', exact: true });
  await toUsers.click();
  const dialog = page.getByRole('alertdialog', { name: 'Discard unsaved changes?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(`${standIn.url}/password`);
  await expect(current(page)).toHaveValue('half');
  await toUsers.click();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page).toHaveURL(`${standIn.url}/users`);
});

test('Cancel leads to / and sends nothing', async ({ page, standIn }) => {
  await visit(page, standIn, '/password');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(`${standIn.url}/`);
  expect(standIn.callsTo(authPassword)).toEqual([]);
});

test('on the real server the new one counts, and every other session ends', async ({
  page,
  browser,
}) => {
  test.slow();
  // A server of its own: the others go on using the old password.
  const { meridian, stop } = await startMeridian({ DEMO_DATA: 'off' });
  try {
    const { token } = await meridian.call(authLogin, { body: ADMIN });
    const elsewhere = await browser.newPage();
    await rememberToken(elsewhere, token);
    await elsewhere.goto(`${meridian.url}/password`);
    await expect(elsewhere.getByRole('heading', { name: 'Change Password' })).toBeVisible();

    await rememberToken(page, await meridian.token());
    await page.goto(`${meridian.url}/password`);
    await expect(page.getByText("You'll be signed out everywhere else.")).toBeVisible();
    await fillIn(page, 'not this one');
    await submit(page).click();
    await expect(current(page)).toHaveAccessibleDescription('Current password is incorrect');
    await current(page).fill(ADMIN.password);
    await submit(page).click();
    await expect(page.getByText('Password changed successfully')).toBeVisible();
    await expect(page).toHaveURL(`${meridian.url}/`);
    await meridian.call(authMe);

    await elsewhere.goto(`${meridian.url}/users`);
    await expect(elsewhere.getByRole('status')).toHaveText(
      'Your session has ended. Please log in again.',
    );
    await elsewhere.getByRole('textbox', { name: 'Username' }).fill(ADMIN.username);
    await elsewhere.getByRole('textbox', { name: 'Password' }).fill(NEW_PASSWORD);
    await elsewhere.getByRole('button', { name: 'Log in' }).click();
    await expect(elsewhere.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
    await elsewhere.close();
  } finally {
    await stop();
  }
});
