import type { Page } from '@playwright/test';
import { expect } from './test.ts';

/** Finds an action of the command palette by these words and runs it. */
export async function runFromPalette(page: Page, words: string, action: RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find anything' }).fill(words);
  // By one key: lines that are found meanwhile may move a line away from the pointer.
  await expect(page.getByRole('option', { name: action })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
}
