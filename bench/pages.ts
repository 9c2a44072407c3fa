import { chromium } from '@playwright/test';
import type { Browser } from '@playwright/test';
import { TOKEN_STORAGE_KEY } from '@meridian/contract';
import type { Closers } from '../server/src/background-task.ts';
import type { Bench } from './databases.ts';
import { percentiles } from './marks.ts';
import type { Reading } from './marks.ts';
import { summarise } from './measure.ts';
import { startMeridian } from './servers.ts';
import type { Meridian } from './servers.ts';

/** Each page with the element that says that its content is there. */
const PAGES = [
  { name: 'sign-in', path: '/login', content: 'input', mark: 'signInBytes' },
  { name: 'posts list', path: '/posts', content: '[data-row-link]', mark: 'postsBytes' },
  { name: '/me', path: '/me', content: 'input', mark: 'meBytes' },
] as const;
const VISITS = 10;
type PageToLoad = (typeof PAGES)[number];

/** Visits the pages in turn, each time with an empty cache: bytes on the wire, and time to the content. */
export async function pages({ sizes, filled }: Bench, closers: Closers): Promise<Reading[]> {
  const server = await startMeridian(await filled(sizes.some), closers);
  const executablePath = process.env['CHROMIUM_PATH'];
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  closers.add(() => browser.close());
  const visits = PAGES.map((page) => ({ page, loads: [] as Load[] }));
  // The first visit of each page warms the server.
  for (let visit = 0; visit <= VISITS; visit += 1) {
    for (const { page, loads } of visits) {
      const load = await visited(browser, server, page);
      if (visit > 0) loads.push(load);
    }
  }
  return visits.flatMap(({ page: { name, mark }, loads }): Reading[] => {
    const times = summarise(loads.map(({ ms }) => ms));
    const bytes = Math.max(...loads.map(({ bytes }) => bytes));
    return [
      { mark, name, measured: bytes / 1000 },
      { mark: 'firstLoad', name, measured: times.p50, basis: percentiles(times) },
    ];
  });
}

type Load = { ms: number; bytes: number };

async function visited(browser: Browser, server: Meridian, page: PageToLoad): Promise<Load> {
  const localStorage = [{ name: TOKEN_STORAGE_KEY, value: server.token }];
  const origins = page.path === '/posts' ? [{ origin: server.url, localStorage }] : [];
  const viewport = { width: 1440, height: 900 };
  const context = await browser.newContext({ viewport, storageState: { cookies: [], origins } });
  const tab = await context.newPage();
  await tab.goto(`${server.url}${page.path}`);
  // Seen by the page itself, in the frame that paints it.
  const painted = await tab.waitForFunction(
    (content) => document.querySelector(content) !== null && performance.now(),
    page.content,
    { polling: 'raf' },
  );
  const ms = Number(await painted.jsonValue());
  await tab.waitForLoadState('networkidle');
  // A page loads what it can do without after its content is there.
  const files = await tab.evaluate((until) => {
    // The type of these entries is known by their name only.
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const asked = entries.filter(({ startTime }) => startTime <= until);
    const counted = asked.filter(({ name }) => /\.(?:js|css)$/.test(name));
    return counted.map(({ encodedBodySize }) => encodedBodySize);
  }, ms);
  await context.close();
  if (files.length === 0 || files.includes(0)) throw new Error(`No bytes of ${page.path}`);
  return { ms, bytes: files.reduce((sum, bytes) => sum + bytes, 0) };
}
