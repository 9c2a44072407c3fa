import { overviewGet, settingsUpdate } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { navigate } from './support/navigate.ts';
import { expect, test } from './support/test.ts';
import { cutPlaceholders } from './support/text-size.ts';

/** The colours of a column of pixels, from its top to its bottom. */
async function coloursOf(page: Page, clip: { x: number; y: number; height: number }) {
  const picture = await page.screenshot({ clip: { ...clip, width: 1 } });
  return page.evaluate(async (bytes) => {
    const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
    const canvas = new OffscreenCanvas(1, bitmap.height).getContext('2d');
    canvas?.drawImage(bitmap, 0, 0);
    const data = [...(canvas?.getImageData(0, 0, 1, bitmap.height).data ?? [])];
    return data.flatMap((_, at) => (at % 4 === 0 ? [data.slice(at, at + 3).join(' ')] : []));
  }, Array.from(picture));
}

test('the strip of a suspension is not veiled by the bar above it', async ({ page, app }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await app.meridian.call(settingsUpdate, { body: { is_service_suspended: true } });
  await app.open('/');
  const strip = page.getByRole('complementary', { name: 'Service state' }).getByRole('paragraph');
  await expect(strip).toBeVisible();
  const { y, height } = (await strip.boundingBox()) ?? { y: 0, height: 0 };
  // Left of the words there is only its ground.
  const colours = await coloursOf(page, { x: 1, y, height });
  expect(colours).toHaveLength(height);
  expect(new Set(colours).size).toBe(1);
});

test('since the last visit: settings by their names, numbers two by two', async ({ page, app }) => {
  const at = new Date().toISOString();
  const changes = { expected_end_at: at, notice_for_people: '', is_service_suspended: true };
  const visit = { since: at, to: at, people: 1, published: 2, failed: 3, redeemed: 4 };
  await page.route(`**${overviewGet.path}*`, async (route) => {
    const response = await route.fetch();
    const settings = [{ at, by: 'admin', changes }];
    await route.fulfill({ json: { ...(await response.json()), visit: { ...visit, settings } } });
  });
  await app.open('/');
  const card = page.getByRole('region', { name: 'Since your last visit' });
  await expect(card).toContainText(
    'Expected end changed, Notice for users changed, Service suspension on by admin',
  );
  for (const width of [360, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const tops = await card
      .getByRole('term')
      .evaluateAll((terms) => terms.map((term) => term.getBoundingClientRect().top));
    expect(tops[0], `${width} px`).toBe(tops[1]);
    expect(tops[2], `${width} px`).toBe(tops[3]);
    expect(tops[1], `${width} px`).toBeLessThan(tops[2] ?? 0);
  }
});

test('on a phone every field shows the whole of what it says', async ({ page, app }) => {
  await page.setViewportSize({ width: 320, height: 900 });
  await app.open('/posts');
  await page.getByRole('button', { name: 'More filters' }).click();
  await expect(page.getByRole('main').getByPlaceholder(/^Text/)).toBeVisible();
  expect(await cutPlaceholders(page)).toEqual([]);
  for (const path of ['/users', '/tickets']) {
    await navigate(page, path);
    await expect(page.getByRole('main').getByRole('searchbox')).toBeVisible();
    expect(await cutPlaceholders(page)).toEqual([]);
  }
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Find anything' })).toBeVisible();
  expect(await cutPlaceholders(page)).toEqual([]);
});

test('an empty list leaves no word alone on its last line', async ({ page, app }) => {
  await app.open('/tickets/issue');
  const words = page.getByText('There is no active paid plan');
  await expect(words).toBeVisible();
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const lines = await words.evaluate((text) => {
      const range = document.createRange();
      range.selectNodeContents(text);
      return [...range.getClientRects()].map((line) => line.width);
    });
    expect(Math.min(...lines), `${width} px`).toBeGreaterThan(Math.max(...lines) / 2);
  }
});
