import type { Page } from '@playwright/test';
import { expectNoSidewaysScroll } from './layout.ts';
import { expectAccessible, expectLayoutAccessible, expectReadableColours } from './test.ts';

/** Without transitions, so that no colour is judged half way. */
const look = (page: Page, width: number, colorScheme: 'light' | 'dark') =>
  Promise.all([
    page.setViewportSize({ width, height: 900 }),
    page.emulateMedia({ colorScheme, reducedMotion: 'reduce' }),
  ]);

/** A state of a screen that was examined in every look before: light and wide, dark and narrow. */
export async function expectAccessibleInTwoLooks(page: Page): Promise<void> {
  await look(page, 1440, 'light');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await look(page, 360, 'dark');
  await expectLayoutAccessible(page);
  await expectNoSidewaysScroll(page);
}

/**
 * Light and dark, wide and narrow: accessible in each, and never scrolling sideways. Dark and narrow
 * together is left to the states of a screen: its colours are those of dark and wide.
 */
export async function expectAccessibleInEveryLook(page: Page): Promise<void> {
  await look(page, 1440, 'light');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await look(page, 1440, 'dark');
  await expectReadableColours(page);
  await look(page, 360, 'light');
  await expectLayoutAccessible(page);
  await expectNoSidewaysScroll(page);
}
