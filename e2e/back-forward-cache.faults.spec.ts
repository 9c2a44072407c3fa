import { authLogin, authLogout, userList } from '@meridian/contract';
import type { BrowserContext, Page } from '@playwright/test';
import { ADMIN } from './support/meridian.ts';
import { sampleUser } from './support/samples.ts';
import { expect, rememberToken, test } from './support/test.ts';
import { visit } from './support/visit.ts';
import { answerEverything } from './support/whole-stand-in.ts';

// Test browsers are started without the cache that keeps whole pages for Back; people have it. One
// without windows asks for it by a word of its own besides.
test.use({
  launchOptions: async ({ launchOptions }, provide) => {
    await provide({
      ...launchOptions,
      args: [...(launchOptions.args ?? []), '--enable-bfcache'],
      ignoreDefaultArgs: [
        ...(Array.isArray(launchOptions.ignoreDefaultArgs) ? launchOptions.ignoreDefaultArgs : []),
        '--disable-back-forward-cache',
      ],
    });
  },
});

/** Stored where it outlives the page: the document came out of the cache and was not loaded again. */
async function recordWaking(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.addEventListener('pageshow', (event) => {
      if (event.persisted) sessionStorage.setItem('woke', 'yes');
    });
  });
}

const hasWoken = (page: Page) => page.evaluate(() => sessionStorage.getItem('woke') === 'yes');

/** Else looking for the word after the logout would prove nothing. */
async function expectWord(page: Page, word: string): Promise<void> {
  await expect.poll(() => page.content()).toContain(word);
}

async function logOutInAnotherTab(context: BrowserContext, url: string): Promise<void> {
  const other = await context.newPage();
  await other.goto(`${url}/users`);
  await other.getByRole('button', { name: /@a/ }).click();
  await other.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(other.getByRole('heading', { name: 'Admin Panel Login' })).toBeVisible();
}

/** The login, nothing of before, and nothing asked in the name of who has left. */
async function expectLoginAfterBack(page: Page, url: string, word: string): Promise<void> {
  const asked: string[] = [];
  page.context().on('request', (request) => {
    if (request.headers()['authorization'] !== undefined) asked.push(request.url());
  });
  // What wakes is loaded already, so there is no loading to wait for.
  await page.goBack({ waitUntil: 'commit' });
  await expect(page).toHaveURL(`${url}/login`);
  await expect(page.getByRole('heading', { name: 'Admin Panel Login' })).toBeVisible();
  expect(await page.content()).not.toContain(word);
  expect(asked).toEqual([]);
}

test('a page that slept through the logout in another tab wakes at the login', async ({
  page,
  context,
  meridian,
  standIn,
}) => {
  // Chromium keeps no page that came with no-store and whose data did too; this server says no such thing.
  standIn.hasPolicy = false;
  answerEverything(standIn);
  standIn.on(authLogout, { body: { success: true } });
  await recordWaking(page);
  const word = 'sleepyhead';
  standIn.on(userList, { body: { users: [sampleUser({ handle: word })], total: 1 } });
  await visit(page, standIn, '/users');
  await expectWord(page, word);
  await page.goto(`${meridian.url}/login`);

  await logOutInAnotherTab(context, standIn.url);
  await expect.poll(() => standIn.callsTo(authLogout)).toHaveLength(1);
  await expectLoginAfterBack(page, standIn.url, word);
  expect(await hasWoken(page)).toBe(true);
});

test('a page of the real server, left before the logout in another tab, comes back as the login', async ({
  page,
  context,
  meridian,
  standIn,
}) => {
  const { token } = await meridian.call(authLogin, { body: ADMIN });
  await rememberToken(page, token);
  const { users } = await meridian.call(userList, { query: { limit: 1 } });
  const word = users[0]?.id ?? 'a user of the demo data';
  await page.goto(`${meridian.url}/users`);
  await expectWord(page, word);
  await page.goto(`${standIn.url}/login`);

  await logOutInAnotherTab(context, meridian.url);
  await expectLoginAfterBack(page, meridian.url, word);
});
