import { authLogin, authMe, currencyDeactivate } from '@meridian/contract';
import { logIn, loginHeading } from './support/login-page.ts';
import { ME } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';
import { answerEverything } from './support/whole-stand-in.ts';

test('a login response with the token alone is enough', async ({ page, standIn }) => {
  standIn
    .on(authLogin, { body: { token: 'new-token' } })
    .on(authMe, ({ token }) => (token === 'new-token' ? { body: ME } : { status: 401 }));
  await page.goto(`${standIn.url}/login`);
  await logIn(page, 'ana', 'a long secret');
  await expect(page.getByRole('button', { name: /@ana/ })).toBeVisible();
});

test('a refusal that ends the session is told by the login alone', async ({ page, standIn }) => {
  answerEverything(standIn);
  standIn.on(currencyDeactivate, { status: 401, body: { message: 'Token expired' } });
  await visit(page, standIn, '/settings');
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await expect(loginHeading(page)).toBeVisible();
  await expect(page.getByRole('status')).toHaveText('Your session has ended. Please log in again.');
  standIn.on(authLogin, { body: { token: 'new-token' } });
  await logIn(page, 'ana', 'a long secret');
  // Within reach: no dialog of before lies over it.
  await page.getByRole('button', { name: 'Inactive' }).click();
  await expect(page).toHaveURL(/currencies=inactive/);
});
