import { authMe, ticketList } from '@meridian/contract';
import type { Locator, Page, Request, Route } from '@playwright/test';
import { gate } from './support/gate.ts';
import { ME, ME_AT_MERIDIAN } from './support/samples.ts';
import { SCREENS } from './support/screens.ts';
import { expect, rememberToken, test } from './support/test.ts';
import { visit } from './support/visit.ts';
import { answerEverything } from './support/whole-stand-in.ts';

const SAMPLE_IDS = {
  userId: 'user-a',
  postId: 'post-a',
  ticketId: 'ticket-a',
  planId: 'plan-a',
  currencyId: 'currency-a',
};

/** What a screen may need: pictures and fonts come when they come. */
const NEEDED = new Set(['document', 'script', 'stylesheet', 'fetch', 'xhr']);
const pathOf = (request: Request) => new URL(request.url()).pathname;

/** Everything that the page asks for until the screen is whole. */
async function neededBy(page: Page, address: string, settled: Locator): Promise<string[]> {
  const asked: string[] = [];
  const listen = (request: Request) => {
    if (NEEDED.has(request.resourceType())) asked.push(pathOf(request));
  };
  page.on('request', listen);
  await page.goto(address);
  await settled.waitFor();
  page.off('request', listen);
  return [...new Set(asked)].toSorted();
}

/**
 * Holds every request back; `release` lets the waiting ones through, once all of `paths` are among
 * them. Not the script that blocks the first paint: it preloads modules beside the entry script.
 */
async function holdRequests(page: Page) {
  const waiting: Route[] = [];
  await page.route(
    (url) => !url.pathname.startsWith('/assets/first-paint-'),
    (route) => void waiting.push(route),
  );
  return {
    async release(paths: readonly string[]): Promise<void> {
      const missing = () => {
        const asked = new Set(waiting.map((route) => pathOf(route.request())));
        return paths.filter((path) => !asked.has(path));
      };
      await expect.poll(missing).toEqual([]);
      for (const route of waiting.splice(0)) await route.continue();
    },
    /** What was asked for after the last release, of what a screen may need. */
    late: () =>
      waiting
        .map((route) => route.request())
        .filter((request) => NEEDED.has(request.resourceType()))
        .map(pathOf),
  };
}

/** The scripts and styles that the document itself names. */
async function namedIn(page: Page, address: string): Promise<string[]> {
  const html = await (await page.request.get(address)).text();
  const names = html.matchAll(/\/assets\/[\w-]+\.(?:js|css)/g);
  return [...names].map(([name]) => name).filter((name) => !name.includes('/first-paint-'));
}

test('document, entry script, data, and nothing after them', async ({ page, standIn }) => {
  test.slow();
  answerEverything(standIn);
  standIn.on(authMe, { body: ME });
  // What the server is, is known from the visit before.
  await rememberToken(page, 'a-token', false);
  for (const { name, path, settled } of SCREENS.filter(({ isPublic }) => !isPublic)) {
    await test.step(name, async () => {
      const address = `${standIn.url}${path(SAMPLE_IDS)}`;
      const all = await neededBy(page, address, settled(page));
      const document = new URL(address).pathname;
      const named = (await namedIn(page, address)).filter((one) => all.includes(one));
      const rest = all.filter(
        (one) => one !== document && !named.includes(one) && !one.includes('/first-paint-'),
      );

      standIn.calls.length = 0;
      const held = await holdRequests(page);
      const opened = page.reload();
      await held.release([document]);
      await held.release(named);
      // Before any of them is answered.
      await held.release(rest);
      await expect(settled(page)).toBeVisible();
      expect(held.late()).toEqual([]);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await opened;
      // Each call was made once: what was asked for early is what the screen wanted.
      const urls = standIn.calls.map(({ url }) => url);
      expect(urls).toEqual([...new Set(urls)]);
    });
  }
});

const ticketCalls = (...searches: (string | null)[]) =>
  searches.filter((search) => search !== null).map((search) => ticketList.path + search);

test.describe('the list of tickets waits for nothing that it knows:', () => {
  for (const [what, remembered, isMeridian, early, late] of [
    ['pages as before', true, true, '?limit=20', null],
    ['never told, so it asks first', undefined, true, null, '?limit=20'],
    ['never told by a server without pages', undefined, false, null, ''],
    ['pages are new', false, true, '', '?limit=20'],
    ['pages are gone', true, false, '?limit=20', ''],
  ] as const) {
    test(what, async ({ page, standIn }) => {
      answerEverything(standIn);
      const known = gate();
      standIn.on(authMe, { body: isMeridian ? ME_AT_MERIDIAN : ME, until: known.opened });
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

test('data waits for the code of its page, not for the session', async ({ page, standIn }) => {
  answerEverything(standIn);
  const known = gate();
  standIn.on(authMe, { body: ME, until: known.opened });
  await visit(page, standIn, '/posts');
  await expect
    .poll(() => standIn.calls.map(({ endpoint }) => endpoint).toSorted())
    .toEqual(['authMe', 'postList']);
  known.open();
  await expect(page.getByRole('link', { name: 'Post number 1', exact: true })).toBeVisible();
  expect(standIn.calls).toHaveLength(2);
});

test('a loader request that failed is retried once, as any other', async ({ page, standIn }) => {
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
