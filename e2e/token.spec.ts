import { TOKEN_STORAGE_KEY } from '@meridian/contract';
import type { Page, Request } from '@playwright/test';
import { findPlaces, SCREENS } from './support/screens.ts';
import { expect, rememberToken, test } from './support/test.ts';

const SIGNED_IN = SCREENS.filter(({ isPublic }) => !isPublic);

async function logOut(page: Page) {
  await page.getByRole('button', { name: /@admin/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Admin Panel Login' })).toBeVisible();
}

test('the token travels in one header of calls to the own server and shows nowhere else', async ({
  page,
  meridian,
}) => {
  const token = await meridian.token();
  const places = await findPlaces(meridian);
  const leaks: string[] = [];
  const carried: string[] = [];
  const look = (request: Request) => {
    const { authorization, ...headers } = request.headers();
    if (authorization !== undefined) carried.push(new URL(request.url()).pathname);
    const rest = JSON.stringify([request.url(), headers, request.postData()]);
    if (rest.includes(token)) leaks.push(request.url());
  };
  page.on('request', look);
  page.on('console', (message) => {
    if (message.text().includes(token)) leaks.push(`console: ${message.text()}`);
  });
  await rememberToken(page, token);
  for (const { path, settled } of SIGNED_IN) {
    await page.goto(meridian.url + path(places));
    await expect(settled(page)).toBeVisible();
    const { html, title, stored } = await page.evaluate(() => ({
      html: document.documentElement.outerHTML,
      title: document.title,
      stored: Object.entries<string>(localStorage),
    }));
    if (html.includes(token) || title.includes(token)) leaks.push(`page ${path(places)}`);
    expect(stored.filter(([, value]) => value.includes(token))).toEqual([
      [TOKEN_STORAGE_KEY, token],
    ]);
  }
  expect(leaks).toEqual([]);
  expect(carried.length).toBeGreaterThan(SIGNED_IN.length);
  expect(carried.filter((path) => !path.startsWith('/api/admin/'))).toEqual([]);
});

test('after logging out, Back and Forward show nothing of before and ask for nothing', async ({
  page,
  meridian,
}) => {
  const places = await findPlaces(meridian);
  await rememberToken(page, await meridian.token());
  for (const { path, settled } of SIGNED_IN) {
    await page.goto(meridian.url + path(places));
    await expect(settled(page)).toBeVisible();
  }
  await logOut(page);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.headers()['authorization'] !== undefined) asked.push(request.url());
  });
  // The last address was replaced by that of the login.
  const back = SIGNED_IN.slice(1).map(() => 'back' as const);
  for (const step of [...back, 'forward' as const]) {
    await (step === 'back' ? page.goBack() : page.goForward());
    await expect(page).toHaveURL(`${meridian.url}/login`);
    await expect(page.getByRole('heading', { name: 'Admin Panel Login' })).toBeVisible();
    await expect(page.getByRole('navigation')).toHaveCount(0);
    await expect(page.locator('main')).not.toContainText('@');
  }
  expect(asked).toEqual([]);
});
