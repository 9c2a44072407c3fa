import { authLogin, authMe } from '@meridian/contract';
import { logIn } from './support/login-page.ts';
import { ME } from './support/samples.ts';
import { expect, test } from './support/test.ts';

test('a login response with the token alone is enough', async ({ page, standIn }) => {
  standIn
    .on(authLogin, { body: { token: 'new-token' } })
    .on(authMe, ({ token }) => (token === 'new-token' ? { body: ME } : { status: 401 }));
  await page.goto(`${standIn.url}/login`);
  await logIn(page, 'ana', 'a long secret');
  await expect(page.getByRole('button', { name: /@ana/ })).toBeVisible();
});
