import { authMe, authPassword } from '@meridian/contract';
import { fillPasswords, PASSWORD_FIELDS, submitPassword } from './support/password-page.ts';
import { expect, test } from './support/test.ts';
import { storedToken } from './support/token.ts';
import { visit } from './support/visit.ts';

const { current } = PASSWORD_FIELDS;

// Proves 8.8
test('a failed change says why, keeps what was typed, and can be repeated', async ({
  page,
  standIn,
}) => {
  await visit(page, standIn, '/password');
  await fillPasswords(page, 'the old one', 'stapled-battery-horses');
  for (const [response, message] of [
    [{ status: 400, body: { message: 'Not on a Sunday' } }, 'Not on a Sunday'],
    [{ status: 502, text: 'Bad gateway' }, 'Request failed'],
    [{ status: 500, body: {} }, 'HTTP 500'],
    [{ cut: true }, 'Password change failed'],
  ] as const) {
    standIn.on(authPassword, response);
    await submitPassword(page).click();
    await expect(page.getByRole('alert')).toContainText(message);
    await expect(current(page)).toHaveValue('the old one');
    await expect(page).toHaveURL(`${standIn.url}/password`);
    expect(await storedToken(page)).toBe('a-token');
  }
  standIn.on(authPassword, { body: { success: true } });
  await submitPassword(page).click();
  await expect(page.getByText('Password changed successfully')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a 401 is about the current password while the token is still good', async ({
  page,
  standIn,
}) => {
  const message = 'That is not your password';
  standIn.on(authPassword, { status: 401, body: { message } });
  await visit(page, standIn, '/password');
  // What another server does with other sessions is not known.
  await expect(current(page)).toBeVisible();
  await expect(page.getByText(/signed out/)).toHaveCount(0);
  await fillPasswords(page, 'the old one', 'stapled-battery-horses');
  await submitPassword(page).click();
  await expect(current(page)).toHaveAccessibleDescription(message);
  await expect(page).toHaveURL(`${standIn.url}/password`);
  expect(await storedToken(page)).toBe('a-token');
  // Once the token is refused as well, the session has ended.
  standIn.on(authMe, { status: 401, body: { message: 'Expired' } });
  await submitPassword(page).click();
  await expect(page).toHaveURL(`${standIn.url}/login`);
  await expect(page.getByRole('status')).toHaveText('Your session has ended. Please log in again.');
  expect(await storedToken(page)).toBeNull();
});
