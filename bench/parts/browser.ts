import { postList, TOKEN_STORAGE_KEY, userList } from '@meridian/contract';
import { chromium } from '@playwright/test';
import type { Browser, Locator, Page } from '@playwright/test';
import { clickToPaint } from '../../e2e/support/click-to-paint.ts';
import type { ClickToPaint } from '../../e2e/support/click-to-paint.ts';
import { summarise } from '../measure/percentiles.ts';
import type { Row } from '../report/row.ts';
import type { OurServer } from '../stand/our-server.ts';
import type { Installation } from '../stand/stand.ts';
import { time } from './response-times.ts';
import { watchScriptBytes } from './script-bytes.ts';

const PAINT_SECTION = 'Click in the sidebar to painted rows, in Chromium';
const BYTES_SECTION = 'JavaScript of a first visit';
/** Lists in the sidebar, the call that fills them, and what only their rows have. */
const LISTS = [
  { link: 'Posts', path: postList.path, row: 'main tbody a[href^="/posts/"]' },
  { link: 'Users', path: userList.path, row: 'main tbody a[href^="/users/"]' },
] as const;

export async function inBrowser(
  { server, facts }: Installation,
  clicks: number,
): Promise<{ rows: Row[]; version: string }> {
  const executablePath = process.env['CHROMIUM_PATH'];
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    const rows: Row[] = [];
    for (const list of LISTS) {
      rows.push(...(await paints(browser, server, { ...list, clicks, isPrefetched: true })));
      rows.push(...(await paints(browser, server, { ...list, clicks, isPrefetched: false })));
    }
    for (const path of ['/login', '/', '/posts', `/posts/${facts.postId}`, '/users']) {
      rows.push(await scriptBytes(browser, server, path));
    }
    return { rows, version: browser.version() };
  } finally {
    await browser.close();
  }
}

type Clicking = {
  link: string;
  path: string;
  row: string;
  clicks: number;
  isPrefetched: boolean;
};

async function paints(
  browser: Browser,
  server: OurServer,
  { link, path, row, clicks, isPrefetched }: Clicking,
): Promise<Row[]> {
  const page = await signedIn(browser, server);
  const found: ClickToPaint[] = [];
  // The first visit fills the browser's cache, as everybody's first one does.
  for (let visit = 0; visit <= clicks; visit += 1) {
    await page.goto(server.url);
    await page.getByRole('table', { name: 'Users by Status' }).waitFor();
    await page.waitForLoadState('networkidle');
    const target = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link });
    if (isPrefetched) await prefetch(page, target, path);
    else await page.mouse.move(700, 500);
    const measured = await clickToPaint(page, target, row);
    if (isPrefetched && measured.networkMs > 0) throw new Error(`${link} was not prefetched`);
    if (visit > 0) found.push(measured);
  }
  await page.context().close();
  return rowsOf(link, isPrefetched, found);
}

/** Rests the pointer on a link until what it brings is there, and the page has nothing left to do. */
async function prefetch(page: Page, link: Locator, path: string): Promise<void> {
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === path);
  await link.hover();
  await (await answered).finished();
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
}

function rowsOf(link: string, isPrefetched: boolean, found: ClickToPaint[]): Row[] {
  const painted = summarise(found.map(({ paintedMs }) => paintedMs));
  const network = summarise(found.map(({ networkMs }) => networkMs));
  const beyond = summarise(found.map(({ paintedMs, networkMs }) => paintedMs - networkMs));
  const longest = Math.max(0, ...found.flatMap(({ longTasksMs }) => longTasksMs));
  const name = `${link}, ${isPrefetched ? 'prefetched' : 'not prefetched'}`;
  const shared = { section: PAINT_SECTION };
  return [
    isPrefetched
      ? {
          ...shared,
          name,
          ours: time(painted),
          against: null,
          measured: painted.p50,
          mark: 'cachedClick',
        }
      : {
          ...shared,
          name,
          ours: time(painted),
          against: { name: 'network', ...time(network) },
          measured: beyond.p50,
          mark: 'click',
        },
    {
      ...shared,
      name: `${name}: longest task over 50 ms`,
      ours: { value: longest, unit: 'ms' },
      against: null,
      measured: longest,
      mark: 'longTask',
    },
  ];
}

async function scriptBytes(browser: Browser, server: OurServer, path: string): Promise<Row> {
  const page = path === '/login' ? await browser.newPage() : await signedIn(browser, server);
  const watch = watchScriptBytes(page);
  await page.goto(`${server.url}${path}`);
  await page.waitForLoadState('networkidle');
  const value = (await watch.total()) / 1000;
  await page.context().close();
  return {
    section: BYTES_SECTION,
    name: path.replace(/[0-9a-f-]{36}/, '{id}'),
    ours: { value, unit: 'kB' },
    against: null,
    mark: null,
  };
}

async function signedIn(browser: Browser, { token }: OurServer): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(([key, value]) => localStorage.setItem(key, value), [
    TOKEN_STORAGE_KEY,
    token,
  ] as const);
  return page;
}
