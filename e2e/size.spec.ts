import type { Page } from '@playwright/test';
import { navigate } from './support/navigate.ts';
import { findSampleIds, SCREENS } from './support/screens.ts';
import { expect, rememberToken, test } from './support/test.ts';

const KB = 1000;
/** Below this, compressing costs more than it saves. */
const WORTH_COMPRESSING = 1024;

type Script = { file: string; bytes: number; encoding: string };

/** The scripts and styles this page loads from now on, as they cross the wire. */
function watchScripts(page: Page): { arrived: () => Promise<Script[]> } {
  const pending: Promise<Script>[] = [];
  page.on('requestfinished', (request) => {
    if (!/\.(?:js|css)$/.test(new URL(request.url()).pathname)) return;
    pending.push(
      (async () => {
        const response = await request.response();
        const { responseBodySize } = await request.sizes();
        return {
          file: new URL(request.url()).pathname,
          bytes: responseBodySize,
          encoding: response?.headers()['content-encoding'] ?? 'none',
        };
      })(),
    );
  });
  return { arrived: () => Promise.all(pending) };
}

const totalOf = (scripts: Script[]) => scripts.reduce((sum, { bytes }) => sum + bytes, 0);
const listOf = (scripts: Script[]) =>
  scripts
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ file, bytes, encoding }) => `${(bytes / KB).toFixed(1)} kB ${encoding} ${file}`)
    .join('\n');

function expectCompressed(scripts: Script[]) {
  const plain = scripts.filter(
    ({ bytes, encoding }) => bytes > WORTH_COMPRESSING && !['br', 'gzip'].includes(encoding),
  );
  expect(listOf(plain)).toBe('');
}

/** The budget of a first visit, with an empty cache, until the content is there. */
async function expectFirstVisit(
  page: Page,
  screen: string,
  address: string,
  content: string,
  budgetKb: number,
) {
  const watch = watchScripts(page);
  await page.goto(address);
  // Seen by the page itself, in the frame that paints it: what a page can do without is loaded soon after.
  const painted = await page.waitForFunction(
    (selector) => document.querySelector(selector) !== null && performance.now(),
    content,
    { polling: 'raf' },
  );
  const later = await page.evaluate(
    (at) =>
      performance
        .getEntriesByType('resource')
        .filter(({ startTime }) => startTime > Number(at))
        .map(({ name }) => new URL(name).pathname),
    await painted.jsonValue(),
  );
  const scripts = (await watch.arrived()).filter(({ file }) => !later.includes(file));
  const total = totalOf(scripts);
  test.info().annotations.push({ type: 'size', description: `${screen}: ${total} bytes` });
  expect(scripts.length).toBeGreaterThan(0);
  expectCompressed(scripts);
  expect(
    total,
    `${screen}: ${(total / KB).toFixed(1)} kB of scripts and styles, at most ${budgetKb} kB\n${listOf(scripts)}`,
  ).toBeLessThanOrEqual(budgetKb * KB);
}

test('at most 115 kB of scripts and styles to a usable login', async ({ page, meridian }) => {
  await expectFirstVisit(page, 'Admin Panel Login', `${meridian.url}/login`, 'input', 115);
});

test('at most 180 kB of scripts and styles to a usable posts list', async ({ page, meridian }) => {
  await rememberToken(page, await meridian.token());
  await expectFirstVisit(
    page,
    'Scheduled Posts list',
    `${meridian.url}/posts`,
    '[data-row-link]',
    180,
  );
});

test('no screen adds a file of more than 60 kB', async ({ page, meridian }) => {
  test.slow();
  const watch = watchScripts(page);
  await page.goto(`${meridian.url}/login`);
  await expect(page.getByRole('textbox', { name: 'Username' })).toBeVisible();
  const atStart = new Set((await watch.arrived()).map(({ file }) => file));

  const ids = await findSampleIds(meridian);
  await rememberToken(page, await meridian.token());
  for (const [index, { path, settled }] of SCREENS.filter(({ isPublic }) => !isPublic).entries()) {
    if (index === 0) await page.goto(`${meridian.url}${path(ids)}`);
    else await navigate(page, path(ids));
    await expect(settled(page)).toBeVisible();
  }
  const added = new Map<string, Script>();
  for (const script of await watch.arrived()) {
    // The first time counts: later ones come from the cache.
    if (!atStart.has(script.file) && !added.has(script.file)) added.set(script.file, script);
  }
  const scripts = [...added.values()];
  expect(scripts.length).toBeGreaterThan(SCREENS.length - 2);
  expect(Math.min(...scripts.map(({ bytes }) => bytes))).toBeGreaterThan(0);
  expectCompressed(scripts);
  expect(
    Math.max(...scripts.map(({ bytes }) => bytes)),
    `the largest file a screen adds\n${listOf(scripts)}`,
  ).toBeLessThanOrEqual(60 * KB);
});
