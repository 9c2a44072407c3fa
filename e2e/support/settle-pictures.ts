import type { Page } from '@playwright/test';

/** Every picture is there or has failed, and the font with it. */
export async function settlePictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager';
    await Promise.allSettled([...document.images].map((image) => image.decode()));
    await document.fonts.ready;
  });
}
