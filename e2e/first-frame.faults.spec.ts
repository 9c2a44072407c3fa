import type { Page } from '@playwright/test';
import { untilAnswered, watchRequests } from './support/open-requests.ts';
import type { StandIn } from './support/stand-in.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';
import { answerEverything } from './support/whole-stand-in.ts';

const posts = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Posts' });
const rows = (page: Page) => page.getByRole('table', { name: 'Scheduled posts' }).getByRole('row');

/** On a page with a link to the posts, whose code and rows are there already. */
async function startPrefetched(page: Page, standIn: StandIn) {
  answerEverything(standIn);
  watchRequests(page);
  await visit(page, standIn, '/password');
  const answered = page.waitForResponse('**/api/admin/posts?*');
  await posts(page).hover();
  await (await answered).finished();
  await untilAnswered(page);
}

/** What the frame that brings the first rows shows at the foot of the window, and how high it is. */
function watchFirstFrame(page: Page) {
  return page.evaluateHandle(() => ({
    result: new Promise<{ atFoot: string; height: number; rows: number }>((resolve) => {
      const changes = new MutationObserver(() => {
        if (!document.querySelector('main tbody a')) return;
        changes.disconnect();
        requestAnimationFrame(() => {
          const main = document.querySelector('main');
          const box = main?.getBoundingClientRect();
          const middle = ((box?.left ?? 0) + (box?.right ?? 0)) / 2;
          const shown = document.elementFromPoint(middle, window.innerHeight - 2);
          resolve({
            atFoot: shown?.closest('tr')?.textContent ?? shown?.textContent ?? '',
            height: document.documentElement.scrollHeight,
            rows: document.querySelectorAll('main tbody tr:not([aria-hidden])').length,
          });
        });
      });
      changes.observe(document, { subtree: true, childList: true });
    }),
  }));
}

for (const [width, height] of [
  [1440, 900],
  [1440, 500],
  [1100, 1000],
  [900, 1200],
  [390, 844],
] as const) {
  test(`the first frame fills a window of ${width} by ${height} with rows, and the others follow`, async ({
    page,
    standIn,
  }) => {
    await startPrefetched(page, standIn);
    await page.setViewportSize({ width, height });
    const first = await watchFirstFrame(page);
    // In a narrow window the sidebar is out of sight, but not gone.
    await page.getByRole('link', { name: 'Posts', includeHidden: true }).dispatchEvent('click');
    const {
      atFoot,
      height: heightAtFirst,
      rows: rowsAtFirst,
    } = await first.evaluate(({ result }) => result);
    expect(atFoot).toContain('Post number');
    expect(rowsAtFirst).toBeLessThan(20);
    // And the header.
    await expect(rows(page)).toHaveCount(21);
    if (width === 1440) {
      // The room of the others was kept: nothing moves as they come.
      const heightAtLast = await page.evaluate(() => document.documentElement.scrollHeight);
      expect(Math.abs(heightAtLast - heightAtFirst)).toBeLessThan(20);
    }
  });
}

test('Back shows the whole list at once, at its scroll position', async ({ page, standIn }) => {
  await startPrefetched(page, standIn);
  await page.setViewportSize({ width: 1440, height: 500 });
  await posts(page).click();
  await expect(rows(page)).toHaveCount(21);
  await page.getByRole('link', { name: 'Post number 20', exact: true }).scrollIntoViewIfNeeded();
  const left = await page.evaluate(() => window.scrollY);
  expect(left).toBeGreaterThan(200);
  await page.getByRole('link', { name: 'Plans' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Plans' })).toBeVisible();
  const first = await watchFirstFrame(page);
  await page.goBack();
  expect((await first.evaluate(({ result }) => result)).rows).toBe(20);
  expect(await page.evaluate(() => window.scrollY)).toBe(left);
});

test('a page whose code is there opens in one step', async ({ page, standIn }) => {
  await startPrefetched(page, standIn);
  // Dimmed is what the next page has yet to come for.
  const looks = await page.evaluateHandle(() => {
    const seen: string[] = [];
    const main = document.querySelector('main');
    if (main === null) throw new Error('no main');
    new MutationObserver(() => seen.push(main.className)).observe(main, { attributes: true });
    return seen;
  });
  await posts(page).click();
  await expect(rows(page)).toHaveCount(21);
  expect(await looks.jsonValue()).toEqual([]);
});
