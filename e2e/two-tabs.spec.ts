import { authLogin, authLogout, authMe, authPassword, userList } from '@meridian/contract';
import type { BrowserContext, Page } from '@playwright/test';
import { judge } from '../server/test/figures.ts';
import { everyRound, ROUNDS, ROUNDS_TIMEOUT_MS } from './support/rounds.ts';
import { ME, sampleUser } from './support/samples.ts';
import type { StandIn } from './support/stand-in.ts';
import { expect, rememberToken, test } from './support/test.ts';

/** The promise, judged in the long run only. */
const FOLLOWS_MS = 1_000;

const BEA = { username: 'bea', displayName: 'Bea Lindqvist' };
const loginForm = (page: Page) => page.getByRole('heading', { name: 'Admin Panel Login' });
const profile = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`@${name}`) });

const isBea = (token: string | null) => token?.startsWith('bea') === true;

/** Ana sees other users than Bea does, and every token tells whose it is. */
function twoAdministrators(standIn: StandIn): void {
  standIn
    .on(authMe, ({ token }) => ({ body: isBea(token) ? BEA : ME }))
    .on(authLogout, { body: { success: true } })
    .on(authLogin, { body: { token: 'bea-token', admin: BEA } })
    .on(authPassword, { body: { success: true } })
    .on(userList, ({ token }) => {
      const handle = isBea(token) ? 'seen-by-bea.example' : 'seen-by-ana.example';
      return { body: { users: [sampleUser({ handle })], total: 1 } };
    });
}

async function twoTabs(context: BrowserContext, standIn: StandIn, first: string) {
  twoAdministrators(standIn);
  const [page, other] = [await context.newPage(), await context.newPage()];
  for (const [tab, path] of [
    [page, first],
    [other, '/users'],
  ] as const) {
    await rememberToken(tab, 'ana-token');
    await tab.goto(standIn.url + path);
    await expect(profile(tab, 'ana')).toBeVisible();
  }
  await expect(other.getByText('seen-by-ana.example')).toBeVisible();
  return { page, other };
}

async function logOut(page: Page) {
  await profile(page, 'ana').click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
}

/** How long the other tab takes to show what it should. */
async function msUntil(isSo: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await isSo();
  return performance.now() - startedAt;
}

/** For the summary of the long run. The test itself waits for the tab to follow, however long. */
function judgeFollowing(what: string, took: readonly number[]): void {
  const longest = Math.round(Math.max(...took));
  judge({
    goal: `G9: ${what}, the other tab follows within ${FOLLOWS_MS} ms, ${ROUNDS} rounds`,
    measured: `${longest} ms at most`,
    isMet: longest <= FOLLOWS_MS,
  });
}

test.describe('what one tab does, the other follows:', () => {
  test.setTimeout(ROUNDS_TIMEOUT_MS);

  test('a logout, and a login as somebody else', async ({ context, standIn }) => {
    const [out, changed]: [number[], number[]] = [[], []];
    await everyRound(async () => {
      const { page, other } = await twoTabs(context, standIn, '/users');
      await logOut(page);
      out.push(await msUntil(() => expect(loginForm(other)).toBeVisible()));
      await expect(other.getByText('seen-by-ana.example')).toHaveCount(0);

      await page.getByRole('textbox', { name: 'Username' }).fill('bea');
      await page.getByRole('textbox', { name: 'Password' }).fill('a long secret');
      const before = standIn.calls.length;
      await page.getByRole('button', { name: 'Log in' }).click();
      changed.push(await msUntil(() => expect(profile(other, 'bea')).toBeVisible()));
      await expect(other.getByText('seen-by-bea.example')).toBeVisible();
      await expect(other.getByText('seen-by-ana.example')).toHaveCount(0);
      const tokens = standIn.calls.slice(before).map(({ token }) => token);
      expect(tokens.filter((token) => token === 'ana-token')).toEqual([]);
      await Promise.all([page.close(), other.close()]);
    });
    judgeFollowing('logout', out);
    judgeFollowing('login as another', changed);
  });

  test('a login over the head of somebody who is still signed in', async ({ context, standIn }) => {
    const changed: number[] = [];
    await everyRound(async () => {
      const { page, other } = await twoTabs(context, standIn, '/users');
      // As a tab of another window would: only the stored token tells.
      await page.evaluate(() => localStorage.setItem('admin_token', 'bea-token'));
      changed.push(await msUntil(() => expect(profile(other, 'bea')).toBeVisible()));
      await expect(other.getByText('seen-by-bea.example')).toBeVisible();
      await expect(other.getByText('seen-by-ana.example')).toHaveCount(0);
      await Promise.all([page.close(), other.close()]);
    });
    judgeFollowing('another token', changed);
  });

  test('a changed password keeps this browser signed in, in both', async ({ context, standIn }) => {
    await everyRound(async () => {
      const { page, other } = await twoTabs(context, standIn, '/password');
      await page.getByRole('textbox', { name: 'Current password' }).fill('the old one');
      for (const name of ['New password', 'Confirm new password']) {
        await page.getByRole('textbox', { name, exact: true }).fill('stapled-battery-horses');
      }
      await page.getByRole('main').getByRole('button', { name: 'Change Password' }).click();
      await expect(page.getByText('Password changed successfully')).toBeVisible();
      const before = standIn.calls.length;
      await other.getByRole('link', { name: 'Dashboard', exact: true }).click();
      await other.getByRole('link', { name: 'Users', exact: true }).click();
      await expect(other.getByText('seen-by-ana.example')).toBeVisible();
      await other.reload();
      await expect(profile(other, 'ana')).toBeVisible();
      const tokens = standIn.calls.slice(before).map(({ token }) => token);
      expect(new Set(tokens)).toEqual(new Set(['ana-token']));
      await Promise.all([page.close(), other.close()]);
    });
  });
});
