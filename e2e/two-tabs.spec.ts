import { authPassword, bulkList, eventStream, userList } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { judge } from '../server/test/figures.ts';
import type { App } from './support/app.ts';
import { isCallTo } from './support/calls.ts';
import { logIn, loginHeading, logOut } from './support/login-page.ts';
import { ADMIN } from './support/meridian.ts';
import { withoutEvents } from './support/open-requests.ts';
import { everyRound, ROUNDS, ROUNDS_TIMEOUT_MS } from './support/rounds.ts';
import { expect, test } from './support/test.ts';

/** The promise, judged in the long run only. */
const FOLLOWS_MS = 1_000;

const profile = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`@${name}$`) });

/** Two tabs of one browser, signed in as Ana; Bea is an administrator too. */
async function twoTabs(page: Page, visitor: App, path: string) {
  await visitor.rows.clear();
  const before = visitor.callsTo(bulkList).length;
  await visitor.rows.user({ handle: 'listed.example' });
  await visitor.rows.administrator('bea', 'Bea Lindqvist');
  const token = await visitor.sessionOf('ana', 'Ana Okafor');
  await page.goto(`${visitor.url}/login`);
  await page.evaluate((value) => localStorage.setItem('admin_token', value), token);
  await page.goto(visitor.url + path);
  const other = await page.context().newPage();
  const streaming = other.waitForRequest(isCallTo(eventStream));
  await other.goto(`${visitor.url}/users`);
  for (const tab of [page, other]) await expect(profile(tab, 'ana')).toBeVisible();
  await expect(other.getByText('listed.example')).toBeVisible();
  // The last calls of a page that loads, a moment after the others.
  await streaming;
  await expect.poll(() => visitor.callsTo(bulkList).length).toBe(before + 2);
  return { other, token };
}

/** How long the other tab takes to follow. */
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

/** The list was read again, and nothing since was asked with the old token. */
async function expectOtherSession(visitor: App, before: number, oldToken: string) {
  const since = () => visitor.calls.slice(before);
  await expect
    .poll(() => since().filter(({ endpoint }) => endpoint === userList.name).length)
    .toBeGreaterThan(0);
  expect(since().filter(({ token }) => token === oldToken)).toEqual([]);
}

test.describe('what one tab does, the other follows:', () => {
  test.setTimeout(ROUNDS_TIMEOUT_MS);

  test('a logout, and a login as another administrator', async ({ page, visitor }) => {
    const [out, changed]: [number[], number[]] = [[], []];
    await everyRound(async () => {
      const { other, token } = await twoTabs(page, visitor, '/users');
      await logOut(page, 'ana');
      out.push(await msUntil(() => expect(loginHeading(other)).toBeVisible()));
      await expect(other.getByText('listed.example')).toHaveCount(0);

      const before = visitor.calls.length;
      await logIn(page, 'bea');
      changed.push(await msUntil(() => expect(profile(other, 'bea')).toBeVisible()));
      await expect(other.getByText('listed.example')).toBeVisible();
      await expectOtherSession(visitor, before, token);
      await other.close();
    });
    judgeFollowing('logout', out);
    judgeFollowing('login as another', changed);
  });

  test('another token stored while an administrator is signed in', async ({ page, visitor }) => {
    const changed: number[] = [];
    // A tab hears of no token that it stored itself: it would open its stream with the old one.
    await withoutEvents(page);
    await everyRound(async () => {
      const { other, token } = await twoTabs(page, visitor, '/password');
      const next = await visitor.sessionOf('bea', 'Bea Lindqvist');
      const before = visitor.calls.length;
      // As a tab of another window would: only the stored token tells.
      await page.evaluate((value) => localStorage.setItem('admin_token', value), next);
      changed.push(await msUntil(() => expect(profile(other, 'bea')).toBeVisible()));
      await expectOtherSession(visitor, before, token);
      await other.close();
    });
    judgeFollowing('another token', changed);
  });

  test('a changed password keeps this browser signed in, in both', async ({ page, visitor }) => {
    await everyRound(async () => {
      const { other, token } = await twoTabs(page, visitor, '/password');
      await page.getByRole('textbox', { name: 'Current password' }).fill(ADMIN.password);
      for (const name of ['New password', 'Confirm new password']) {
        await page.getByRole('textbox', { name, exact: true }).fill('stapled-battery-horses');
      }
      await page.getByRole('main').getByRole('button', { name: 'Change Password' }).click();
      await expect(page.getByText('Password changed successfully')).toBeVisible();
      expect(visitor.callsTo(authPassword).at(-1)?.token).toBe(token);
      const before = visitor.calls.length;
      await other.getByRole('link', { name: 'Dashboard', exact: true }).click();
      await other.getByRole('link', { name: 'Users', exact: true }).click();
      await expect(other.getByText('listed.example')).toBeVisible();
      await other.reload();
      await expect(profile(other, 'ana')).toBeVisible();
      const tokens = visitor.calls.slice(before).map((call) => call.token);
      expect(new Set(tokens)).toEqual(new Set([token]));
      await other.close();
    });
  });
});
