import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectReadableColours, test } from './test.ts';

/** A state of a screen that was examined in every look before: light and wide, dark and narrow. */
export async function expectAccessibleInTwoLooks(page: Page): Promise<void> {
  for (const { width, colorScheme } of [
    { width: 1440, colorScheme: 'light' },
    { width: 360, colorScheme: 'dark' },
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expectAccessible(page);
    await expectNothingSideways(page, width);
  }
}

/** Light and dark, wide and narrow: accessible in each, and never scrolling sideways. */
export async function expectAccessibleInEveryLook(page: Page): Promise<void> {
  // Four inspections of a whole page in one test.
  test.slow();
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 });
    // Without transitions, so that no colour is judged half way.
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await expectAccessible(page);
    // The same page in other colours: nothing else can be different.
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await expectReadableColours(page);
    await expectNothingSideways(page, width);
  }
}

async function expectNothingSideways(page: Page, width: number): Promise<void> {
  const reach = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(reach, `sideways at ${width}`).toBeLessThanOrEqual(width);
}
