import type { Page } from '@playwright/test';
import { expect } from './test.ts';

/** From here on the page's time stands still; `tickUntil` and `page.clock.runFor` move it. */
export async function stopClock(page: Page): Promise<void> {
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + 1000);
}

/** Moves the stopped clock a millisecond at a time, as far as it takes to let something happen. */
export async function tickUntil(page: Page, happened: () => Promise<boolean>): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.runFor(1);
      return happened();
    })
    .toBe(true);
}
