import type { Page } from '@playwright/test';

/**
 * To another address inside the console, without loading the console again: for what is proved of a
 * screen, not of its first load. Resolves once the screen before is gone.
 */
export async function navigate(page: Page, path: string): Promise<void> {
  const before = await page.getByRole('heading', { level: 1 }).elementHandle();
  await pushAddress(page, path);
  await before?.waitForElementState('hidden');
}

/** To any address inside the console, that of the same screen with other filters included. */
export async function pushAddress(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    // Numbered as the router numbers its entries, which its unsaved-changes check reads.
    history.pushState({ idx: (history.state?.idx ?? 0) + 1, key: to }, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

/**
 * Loads the code of another screen. A navigation there then takes no time of its own, so that one that
 * begins too early is seen at once.
 */
export async function preload(page: Page, path: string): Promise<void> {
  const { pathname } = new URL(page.url());
  await navigate(page, path);
  await navigate(page, pathname);
}
