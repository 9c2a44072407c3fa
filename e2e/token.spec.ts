import { authLogin, postList, ticketList, TOKEN_STORAGE_KEY, userList } from '@meridian/contract';
import type { Page, Request } from '@playwright/test';
import { loginHeading, logOut } from './support/login-page.ts';
import { ADMIN } from './support/meridian.ts';
import type { Meridian } from './support/meridian.ts';
import { navigate } from './support/navigate.ts';
import { findSampleIds, SCREENS } from './support/screens.ts';
import { expect, rememberToken, test } from './support/test.ts';

const SIGNED_IN = SCREENS.filter(({ isPublic }) => !isPublic);

test('the token travels in one header of calls to the own server and shows nowhere else', async ({
  page,
  meridian,
}) => {
  const token = await meridian.token();
  const ids = await findSampleIds(meridian);
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
  for (const [index, { path, settled }] of SIGNED_IN.entries()) {
    if (index === 0) await page.goto(meridian.url + path(ids));
    else await navigate(page, path(ids));
    await expect(settled(page)).toBeVisible();
    const { html, title, stored } = await page.evaluate(() => ({
      html: document.documentElement.outerHTML,
      title: document.title,
      stored: Object.entries<string>(localStorage),
    }));
    if (html.includes(token) || title.includes(token)) leaks.push(`page ${path(ids)}`);
    expect(stored.filter(([, value]) => value.includes(token))).toEqual([
      [TOKEN_STORAGE_KEY, token],
    ]);
  }
  expect(leaks).toEqual([]);
  expect(carried.length).toBeGreaterThan(SIGNED_IN.length);
  expect(carried.filter((path) => !path.startsWith('/api/admin/'))).toEqual([]);
});

/** Words that only a signed-in administrator may see: names, handles, codes and texts of the demo data. */
async function sentinelsOf(meridian: Meridian): Promise<string[]> {
  const [{ users }, { posts }, { tickets }] = await Promise.all([
    meridian.call(userList, { query: { limit: 10 } }),
    meridian.call(postList, { query: { limit: 10 } }),
    meridian.call(ticketList),
  ]);
  const sentinels = [
    ...users.flatMap(({ handle, did }) => [handle, did]),
    ...posts.map(({ id }) => id),
    ...tickets.slice(0, 10).map(({ code }) => code),
  ];
  expect(sentinels.length).toBeGreaterThanOrEqual(30);
  return sentinels;
}

test('after logging out, Back, Forward and a tab reopened show nothing of before and ask for nothing', async ({
  page,
  context,
  meridian,
}) => {
  test.slow();
  const ids = await findSampleIds(meridian);
  const sentinels = await sentinelsOf(meridian);
  const seen = new Set<string>();
  const { token } = await meridian.call(authLogin, { body: ADMIN });
  await rememberToken(page, token);
  for (const { path, settled } of SIGNED_IN) {
    await page.goto(meridian.url + path(ids));
    await expect(settled(page)).toBeVisible();
    const html = await page.content();
    for (const word of sentinels) if (html.includes(word)) seen.add(word);
  }
  // Else looking for them afterwards would prove nothing.
  expect(seen.size).toBeGreaterThanOrEqual(30);
  await logOut(page);
  await expect(loginHeading(page)).toBeVisible();
  const asked: string[] = [];
  context.on('request', (request) => {
    if (request.headers()['authorization'] !== undefined) asked.push(request.url());
  });
  const expectNothingOfBefore = async (tab: Page) => {
    await expect(tab).toHaveURL(`${meridian.url}/login`);
    await expect(tab.getByRole('heading', { name: 'Admin Panel Login' })).toBeVisible();
    await expect(tab.getByRole('navigation')).toHaveCount(0);
    const html = await tab.content();
    expect(sentinels.filter((word) => html.includes(word))).toEqual([]);
  };
  // The last address was replaced by that of the login.
  const back = SIGNED_IN.slice(1).map(() => 'back' as const);
  for (const step of [...back, 'forward' as const]) {
    await (step === 'back' ? page.goBack() : page.goForward());
    await expectNothingOfBefore(page);
  }
  const reopened = await context.newPage();
  for (const { path } of SIGNED_IN) {
    await reopened.goto(meridian.url + path(ids));
    await expectNothingOfBefore(reopened);
  }
  expect(asked).toEqual([]);
});
