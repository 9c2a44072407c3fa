import { authLogin } from '@meridian/contract';
import { ADMIN } from './support/meridian.ts';
import { expect, rememberToken, test } from './support/test.ts';

// Test browsers are started without the cache that keeps whole pages for Back; people have it.
test.use({
  launchOptions: async ({ launchOptions }, provide) => {
    await provide({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] });
  },
});

test('a page that slept through the logout in another tab wakes at the login', async ({
  page,
  context,
  meridian,
  standIn,
}) => {
  const { token } = await meridian.call(authLogin, { body: ADMIN });
  await rememberToken(page, token);
  await page.goto(`${meridian.url}/users`);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  const handle = (await page.getByRole('row').nth(1).getByRole('link').first().textContent()) ?? '';
  await page.goto(`${standIn.url}/login`);

  const other = await context.newPage();
  await other.goto(`${meridian.url}/users`);
  await other.getByRole('button', { name: /@admin/ }).click();
  await other.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(other.getByRole('heading', { name: 'Admin Panel Login' })).toBeVisible();

  const asked: string[] = [];
  context.on('request', (request) => {
    if (request.headers()['authorization'] !== undefined) asked.push(request.url());
  });
  await page.goBack();
  await expect(page).toHaveURL(`${meridian.url}/login`);
  await expect(page.getByRole('heading', { name: 'Admin Panel Login' })).toBeVisible();
  expect(await page.content()).not.toContain(handle);
  expect(asked).toEqual([]);
});
