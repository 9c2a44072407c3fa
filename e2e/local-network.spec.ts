import type { Page } from '@playwright/test';
import { expectAccessibleInEveryLook } from './support/looks.ts';
import { startMeridian } from './support/meridian.ts';
import type { Meridian } from './support/meridian.ts';
import { openRows } from './support/rows.ts';
import type { Rows } from './support/rows.ts';
import { expect, rememberToken, test } from './support/test.ts';

let meridian: Meridian;
let rows: Rows;
let stop: () => Promise<void>;

test.beforeAll(async () => {
  const started = await startMeridian({ DEMO_DATA: 'off', NETWORK: 'local' });
  ({ meridian } = started);
  rows = await openRows(started.dataDir, meridian);
  stop = started.stop;
});
test.afterAll(async () => {
  await rows.close();
  await stop();
});

const postOf = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text });
/** Due at once: the engine publishes it. */
const publish = (fields: Parameters<Rows['post']>[0]) =>
  rows.post({ scheduled_at: new Date().toISOString(), facets: null, embed: null, ...fields });
const open = (page: Page, path = '/') => page.goto(`${meridian.url}/local-network${path}`);

test('a post appears without a reload, and the console leads to it', async ({ page }) => {
  await open(page);
  await expect(page.getByText('Local network: nothing leaves this machine')).toBeVisible();
  await expect(page.getByText('Nothing has been published yet.')).toBeVisible();

  const content = 'Doors open at seven tonight';
  const { id } = await publish({ content, user: { display_name: 'Harbour Lights' } });
  await expect(postOf(page, content)).toBeVisible();
  await expect(postOf(page, content).getByText('Harbour Lights')).toBeVisible();
  await expect(page.getByRole('status')).toHaveText('1 new post');
  await expect(page.getByText('Nothing has been published yet.')).toBeHidden();

  await rememberToken(page, await meridian.token());
  await page.goto(`${meridian.url}/posts/${id}`);
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'View on Bluesky' }).click();
  const popup = await opened;
  await expect(popup.getByRole('heading', { name: 'Post by Harbour Lights' })).toBeVisible();
  await expect(postOf(popup, content)).toBeVisible();
  await popup.getByRole('link', { name: /^Harbour Lights/ }).click();
  await expect(popup.getByRole('heading', { name: 'Harbour Lights' })).toBeVisible();
});

test('a reader pauses the timeline and lets it go on', async ({ page, context }) => {
  await publish({ content: 'Read in peace' });
  await open(page);
  await expect(postOf(page, 'Read in peace')).toBeVisible();
  await page.getByRole('button', { name: 'Pause updates' }).press('Enter');
  await expect(page.getByText(/^Paused, as of .*\d\d:\d\d$/)).toBeVisible();
  const reads: string[] = [];
  page.on('request', (request) => reads.push(request.url()));
  const other = await context.newPage();
  await open(other);
  await expect(postOf(other, 'Read in peace')).toBeVisible();
  await publish({ content: 'Published meanwhile' });
  await expect(postOf(other, 'Published meanwhile')).toBeVisible();
  await expect(postOf(page, 'Published meanwhile')).toHaveCount(0);
  expect(reads).toEqual([]);
  await page.getByRole('button', { name: 'Resume updates' }).press('Enter');
  await expect(postOf(page, 'Published meanwhile')).toBeVisible();
  await expect(page.getByText(/^Paused/)).toHaveCount(0);
});

test('every page is accessible, light and dark, wide and narrow', async ({ page }) => {
  const content = `${'読'.repeat(120)} https://example.test/menu ${'long'.repeat(30)}`;
  const byteStart = 361;
  await publish({
    content,
    facets: [
      {
        index: { byteStart, byteEnd: byteStart + 25 },
        features: [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://example.test/menu' }],
      },
    ],
    user: { display_name: 'W'.repeat(60), handle: 'a-rather-long-name.example.test' },
  });
  await open(page);
  const article = postOf(page, '読読読');
  await expect(article).toBeVisible();
  await expectAccessibleInEveryLook(page);

  await article.getByRole('link', { name: /20\d\d/ }).click();
  await expect(page.getByRole('heading', { name: /^Post by W/ })).toBeVisible();
  await expectAccessibleInEveryLook(page);

  await page.getByRole('link', { name: /^WWW/ }).click();
  await expect(page.getByRole('heading', { name: /^WWW/ })).toBeVisible();
  await expectAccessibleInEveryLook(page);
});

test.describe('without the content policy', () => {
  test.use({ bypassCSP: true });

  test('markup is text, also in a post that arrives later', async ({ page }) => {
    const markup = '<img src=x onerror="window.ranIn=1"></p><svg onload="window.ranIn=2">';
    await open(page);
    await publish({ content: `Hostile ${markup}`, user: { display_name: markup } });
    await expect(postOf(page, 'Hostile').getByText(markup).first()).toBeVisible();
    await page.reload();
    await expect(postOf(page, 'Hostile').getByText(markup).first()).toBeVisible();
    expect(await page.evaluate(() => 'ranIn' in window)).toBe(false);
  });
});
