import { authLogin, authMe, authPassword } from '@meridian/contract';
import type { Page } from '@playwright/test';
import type { App } from './support/app.ts';
import { ADMIN } from './support/meridian.ts';
import { preload } from './support/navigate.ts';
import { fillPasswords, PASSWORD_FIELDS, submitPassword } from './support/password-page.ts';
import { stopClock, tickUntil } from './support/stopped-clock.ts';
import { expect, rememberToken, test } from './support/test.ts';

const NEW_PASSWORD = 'stapled-battery-horses';
const { current, wanted, confirmed } = PASSWORD_FIELDS;

/** Whose password no other test needs. */
const newName = () => `vera-${Date.now()}`;

async function openPassword(page: Page, app: App, username: string) {
  const token = await app.signInAs(username, null);
  await app.open('/password');
  await expect(page.getByRole('heading', { level: 1, name: 'Change Password' })).toBeVisible();
  return token;
}

// Proves 1.8, 2.36, 2.37, 2.38, 4.38, 4.39, 7.8, 8.51
test('the new password counts, the console goes to / after two seconds, and every other session ends', async ({
  page,
  browser,
  visitor: app,
}) => {
  const username = newName();
  await page.clock.install();
  const elsewhere = await browser.newPage();
  await rememberToken(elsewhere, await app.sessionOf(username, null));
  await elsewhere.goto(`${app.url}/password`);
  await expect(elsewhere.getByRole('heading', { name: 'Change Password' })).toBeVisible();
  // An open page might notice the end of its session before it is asked to.
  await elsewhere.goto('about:blank');

  const token = await openPassword(page, app, username);
  await preload(page, '/');
  await expect(page.getByText("You'll be signed out everywhere else.")).toBeVisible();
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(3);
  await fillPasswords(page, 'not this one', NEW_PASSWORD);
  await submitPassword(page).click();
  await expect(current(page)).toHaveAccessibleDescription('Current password is incorrect');
  await expect(current(page)).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
  // Typing another one takes it back.
  await current(page).fill(ADMIN.password);
  await expect(page.getByText('Current password is incorrect')).toHaveCount(0);

  const held = await app.hold(authPassword);
  await stopClock(page);
  await submitPassword(page).dblclick();
  await expect(submitPassword(page)).toHaveAccessibleName('Changing...');
  held.release();
  const success = page.getByText('Password changed successfully');
  await tickUntil(page, () => success.isVisible());
  await page.clock.runFor(1900);
  await expect(page).toHaveURL(`${app.url}/password`);
  await expect(success).toBeVisible();
  await page.clock.runFor(200);
  await expect(page).toHaveURL(`${app.url}/`);
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  expect(app.callsTo(authPassword).slice(1)).toEqual([
    expect.objectContaining({
      method: 'PUT',
      url: '/api/admin/auth/password',
      body: { currentPassword: ADMIN.password, newPassword: NEW_PASSWORD },
      token,
    }),
  ]);
  await app.meridian.call(authLogin, { body: { username, password: NEW_PASSWORD } });

  await elsewhere.goto(`${app.url}/users`);
  await expect(elsewhere.getByRole('status')).toHaveText(
    'Your session has ended. Please log in again.',
  );
  await elsewhere.getByRole('textbox', { name: 'Username' }).fill(username);
  await elsewhere.getByRole('textbox', { name: 'Password' }).fill(NEW_PASSWORD);
  await elsewhere.getByRole('button', { name: 'Log in' }).click();
  await expect(elsewhere.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
  await elsewhere.close();
});

// Proves 5.24, 5.25, 9.9
test('refuses what is missing, too short, different or easy to guess, at its field', async ({
  page,
  visitor: app,
}) => {
  await openPassword(page, app, newName());
  // Typing can begin at once on a direct visit.
  await expect(current(page)).toBeFocused();
  await submitPassword(page).click();
  await expect(current(page)).toHaveAccessibleDescription('Current password is required');
  await expect(current(page)).toBeFocused();

  await fillPasswords(page, ADMIN.password, '1234567');
  await submitPassword(page).click();
  await expect(wanted(page)).toHaveAccessibleDescription(
    /^New password must be at least 8 characters/,
  );
  await expect(wanted(page)).toBeFocused();
  // The eighth character settles it.
  await wanted(page).fill('12345678');
  await expect(page.getByText('New password must be at least 8 characters')).toHaveCount(0);

  await fillPasswords(page, ADMIN.password, NEW_PASSWORD, `${NEW_PASSWORD}!`);
  await submitPassword(page).click();
  await expect(confirmed(page)).toHaveAccessibleDescription('New passwords do not match');
  await expect(confirmed(page)).toBeFocused();
  expect(app.callsTo(authPassword)).toEqual([]);

  await fillPasswords(page, ADMIN.password, 'password1');
  await submitPassword(page).click();
  await expect(wanted(page)).toHaveAccessibleDescription(/^This password is too easy to guess/);
  await expect(wanted(page)).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('leaving with something typed asks first; Cancel leads to / and sends nothing', async ({
  page,
  app,
}) => {
  await app.open('/');
  await page.getByRole('button', { name: /@admin/ }).click();
  await page.getByRole('menuitem', { name: 'Change Password' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Change Password' })).toBeFocused();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(`${app.url}/`);

  await page.goBack();
  await current(page).fill('half');
  const toUsers = page.getByRole('link', { name: 'Users', exact: true });
  await toUsers.click();
  const dialog = page.getByRole('alertdialog', { name: 'Discard unsaved changes?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(`${app.url}/password`);
  await expect(current(page)).toHaveValue('half');
  await toUsers.click();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page).toHaveURL(`${app.url}/users`);
  expect(app.callsTo(authPassword)).toEqual([]);
  await app.meridian.call(authMe);
});
