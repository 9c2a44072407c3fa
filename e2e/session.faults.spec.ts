import { authLogout, authMe, statsGet } from '@meridian/contract';
import { gate } from './support/gate.ts';
import { loginHeading, logOut } from './support/login-page.ts';
import { expect, test } from './support/test.ts';
import { storedToken, visit } from './support/visit.ts';
import { rememberToken } from './support/token.ts';

for (const [what, response] of [
  ['failed', { status: 500, body: {} }],
  ['cut off', { cut: true }],
] as const) {
  test(`a token whose check is ${what} is cleared, and the login says why`, async ({
    page,
    standIn,
  }) => {
    standIn.on(authMe, response);
    await rememberToken(page, 'a-token');
    await page.goto(`${standIn.url}/users`);
    await expect(page).toHaveURL(`${standIn.url}/login`);
    await expect(page.getByRole('status')).toContainText('Your session could not be confirmed');
    expect(await storedToken(page)).toBeNull();
  });
}

test('an unavailable server ends no session', async ({ page, standIn }) => {
  standIn.on(statsGet, { status: 503, body: {} });
  await visit(page, standIn, '/');
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
  expect(await storedToken(page)).toBe('a-token');
});

for (const [what, response] of [
  ['fails', { status: 500, body: {} }],
  ['closes the connection', { cut: true }],
  ['never responds', { until: gate().opened }],
] as const) {
  test(`Logout works when the server ${what}`, async ({ page, standIn }) => {
    standIn.on(authLogout, response);
    await visit(page, standIn, '/users');
    await logOut(page, 'ana');
    await expect(loginHeading(page)).toBeVisible();
    expect(await storedToken(page)).toBeNull();
    await page.reload();
    await expect(loginHeading(page)).toBeVisible();
  });
}
