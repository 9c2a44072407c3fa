import type { Locator } from '@playwright/test';
import { FAILURES_MAX } from '@meridian/contract';
import { pushAddress } from '../support/navigate.ts';
import { openListBySql } from '../support/posts-list.ts';
import { timed } from '../support/screen-times.ts';
import { AMONG_MANY } from '../support/story-posts.ts';
import { expect, test } from '../support/test.ts';

const numberIn = (words: string) => Number(words.replaceAll(',', ''));
const UNKNOWN = 'EHOSTUNREACH 10.0.0.7';

/** The causes on screen: how many posts each has, and the list of them. */
async function groupsOf(main: Locator): Promise<{ count: number; address: string }[]> {
  const found = await main.getByRole('definition').locator('a[href^="/posts?"]').all();
  return Promise.all(
    found.map(async (link) => ({
      count: numberIn(await link.innerText()),
      address: (await link.getAttribute('href')) ?? '',
    })),
  );
}

test(
  'Failures: the causes of a day, a week and a month sum up to their failures',
  AMONG_MANY,
  async ({ page, app }) => {
    const main = page.getByRole('main');
    const total = main.getByRole('link', { name: /failures?$/ });
    const user = await app.rows.user();
    await app.rows.engine.fail(user, { cause: null, error: UNKNOWN, count: 3 });
    await app.open('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const [window, name] of [
      ['24h', 'a day'],
      ['7d', 'a week'],
      ['30d', 'a month'],
    ] as const) {
      await timed(`Failures: causes of ${name}`, async () => {
        await pushAddress(page, `/failures?window=${window}`);
        await expect(total).toBeVisible();
      });
      // What is not known comes first, and is ours.
      const first = main.getByRole('region').first();
      await expect(first).toContainText('Us');
      await expect(main.getByRole('region', { name: UNKNOWN })).toContainText('Us');
      const count = numberIn((await total.innerText()).replace(/ failures?$/, ''));
      const whole = (await total.getAttribute('href')) ?? '';
      const groups = await groupsOf(main);
      expect(groups.length).toBeGreaterThan(5);
      expect(groups.reduce((sum, group) => sum + group.count, 0)).toBe(count);
      for (const { count: shown, address } of [{ count, address: whole }, ...groups]) {
        const screen = `Failures: posts of a cause of ${name}`;
        expect(numberIn(await openListBySql(page, app, { screen, address })), address).toBe(shown);
      }
    }
  },
);

test(
  'Failures: beyond 10,000 failures it says where it stopped, and still sums up',
  AMONG_MANY,
  async ({ page, app }) => {
    const user = await app.rows.user();
    const count = 10_500;
    await app.rows.engine.fail(user, { cause: 'host_slow', error: 'Too slow', count });
    await timed('Failures: causes of more than 10,000', async () => {
      await app.open('/failures?window=30d');
      await expect(page.getByRole('link', { name: '10,000 failures' })).toBeVisible();
    });
    await expect(page.getByText('only the newest 10,000 are counted')).toBeVisible();
    const groups = await groupsOf(page.getByRole('main'));
    expect(groups.reduce((sum, group) => sum + group.count, 0)).toBe(FAILURES_MAX);
  },
);
