import { setTimeout as sleep } from 'node:timers/promises';
import { authMe, TICKET_PAGES_FEATURE, ticketList } from '@meridian/contract';
import type { Locator, Page, Route } from '@playwright/test';
import { gate } from './support/gate.ts';
import { ME } from './support/samples.ts';
import { SCREENS } from './support/screens.ts';
import { expect, rememberToken, test } from './support/test.ts';
import { visit } from './support/visit.ts';
import { answerEverything } from './support/whole-stand-in.ts';

const PLACES = {
  userId: 'user-a',
  postId: 'post-a',
  ticketId: 'ticket-a',
  planId: 'plan-a',
  currencyId: 'currency-a',
};

/** Far longer than a page takes to ask for all it knows of. */
const QUIET_MS = 300;

/** What the page asks for while nothing is answered, then what it asks for next, and so on. */
async function wavesTo(page: Page, address: string, settled: Locator): Promise<string[][]> {
  const waves: string[][] = [];
  let waiting: Route[] = [];
  let seen = 0;
  const screen = { isSettled: false };
  await page.route('**/*', (route) => void waiting.push(route));
  const opened = page.goto(address);
  // In the background: nobody can look at a page while its document is held back.
  const shown = settled.waitFor().then(() => {
    screen.isSettled = true;
  });
  while (!screen.isSettled) {
    // Silence cannot be waited for otherwise. A busy machine makes it longer, never wrong.
    await Promise.race([sleep(QUIET_MS), shown]);
    if (waiting.length > 0 && waiting.length === seen) {
      waves.push(waiting.map((route) => new URL(route.request().url()).pathname).toSorted());
      const wave = waiting;
      waiting = [];
      await Promise.all(wave.map((route) => route.continue()));
    }
    seen = waiting.length;
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await Promise.all([opened, ...waiting.map((route) => route.continue())]);
  return waves;
}

test.describe('document, entry script, data, and nothing after them:', () => {
  for (const { name, path, settled } of SCREENS.filter(({ isPublic }) => !isPublic)) {
    test(name, async ({ page, standIn }) => {
      answerEverything(standIn);
      standIn.on(authMe, { body: ME });
      // What it announces is known from the visit before.
      await rememberToken(page, 'a-token', []);
      const waves = await wavesTo(page, `${standIn.url}${path(PLACES)}`, settled(page));
      expect(waves.length, JSON.stringify(waves, null, 2)).toBeLessThanOrEqual(3);
      // Each call was made once: what was asked for early is what the screen wanted.
      const urls = standIn.calls.map(({ url }) => url);
      expect(urls).toEqual([...new Set(urls)]);
    });
  }
});

const ticketCalls = (...searches: (string | null)[]) =>
  searches.filter((search) => search !== null).map((search) => ticketList.path + search);

test.describe('the list of tickets waits for nothing that it knows:', () => {
  for (const [what, remembered, announced, early, late] of [
    ['pages as before', [TICKET_PAGES_FEATURE], [TICKET_PAGES_FEATURE], '?limit=20', null],
    ['never told, so it asks first', undefined, [TICKET_PAGES_FEATURE], null, '?limit=20'],
    ['never told by a server without pages', undefined, [], null, ''],
    ['pages are new', [], [TICKET_PAGES_FEATURE], '', '?limit=20'],
    ['pages are gone', [TICKET_PAGES_FEATURE], [], '?limit=20', ''],
  ] as const) {
    test(what, async ({ page, standIn }) => {
      answerEverything(standIn);
      const known = gate();
      standIn.on(authMe, { body: { ...ME, features: announced }, until: known.opened });
      const urls = () => standIn.callsTo(ticketList).map(({ url }) => url);
      await rememberToken(page, 'a-token', remembered);
      await page.goto(`${standIn.url}/tickets`);
      await expect.poll(urls).toEqual(ticketCalls(early));
      known.open();
      await expect(page.getByRole('row').nth(1).getByRole('link').first()).toBeVisible();
      expect(urls()).toEqual(ticketCalls(early, late));
      // Next time it is right at once.
      standIn.calls.length = 0;
      await page.reload();
      await expect(page.getByRole('row').nth(1).getByRole('link').first()).toBeVisible();
      expect(urls()).toEqual(ticketCalls(late ?? early));
    });
  }
});

test('the filters, the sort and the page of an address are asked for at once, as the screen asks', async ({
  page,
  standIn,
}) => {
  answerEverything(standIn);
  for (const [path, call] of [
    [
      '/posts?status=FAILED&sort=created_at&order=asc&userFilter=ana%20b&page=2',
      '/api/admin/posts?limit=20&offset=20&status=FAILED&userFilter=ana+b&sort=created_at&order=asc',
    ],
    // What no filter knows is not sent on.
    [
      '/posts?status=NONSENSE&sort=x&page=-1',
      '/api/admin/posts?limit=20&sort=scheduled_at&order=desc',
    ],
    ['/users?status=BLOCKED&page=3', '/api/admin/users?limit=20&offset=40&status=BLOCKED'],
    ['/users', '/api/admin/users?limit=20'],
  ] as const) {
    standIn.calls.length = 0;
    await visit(page, standIn, path);
    await expect(page.getByRole('row').nth(1).getByRole('link').first()).toBeVisible();
    expect(standIn.calls.map(({ url }) => url).toSorted()).toEqual(['/api/admin/auth/me', call]);
    expect(standIn.calls.map(({ token }) => token)).toEqual(['a-token', 'a-token']);
  }
});

test('data waits for no code of its screen', async ({ page, standIn }) => {
  answerEverything(standIn);
  const held = gate();
  await page.route(/assets\/(?:PostsPage|shell|shared)-.*\.js/, async (route) => {
    await held.opened;
    await route.continue();
  });
  await visit(page, standIn, '/posts');
  await expect
    .poll(() => standIn.calls.map(({ endpoint }) => endpoint).toSorted())
    .toEqual(['authMe', 'postList']);
  held.open();
  await expect(page.getByRole('link', { name: 'Post number 1', exact: true })).toBeVisible();
  expect(standIn.calls).toHaveLength(2);
});

test('an early answer that failed is asked for once more, as any other', async ({
  page,
  standIn,
}) => {
  answerEverything(standIn);
  let tries = 0;
  await page.route('**/api/admin/posts?*', (route) => {
    tries += 1;
    return tries === 1 ? route.abort() : route.continue();
  });
  await visit(page, standIn, '/posts');
  await expect(page.getByRole('link', { name: 'Post number 1', exact: true })).toBeVisible();
  expect(tries).toBe(2);
});
