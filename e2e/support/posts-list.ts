import type { Page } from '@playwright/test';
import type { App } from './app.ts';
import { pushAddress } from './navigate.ts';
import { PostsBySql } from './posts-by-sql.ts';
import { timed } from './screen-times.ts';
import { expect } from './test.ts';

const PAGE_SIZE = 20;

/** The ids of the posts on screen, in their order. */
export function shownIds(page: Page): Promise<string[]> {
  return page
    .getByRole('table', { name: 'Scheduled posts' })
    .getByRole('row')
    .locator('a[href^="/posts/"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.slice(7) ?? ''));
}

type Opening = {
  /** Its name among the times of screens. */
  screen: string;
  address: string;
  /** Unless told otherwise, to the address within the console. */
  open?: () => Promise<void>;
};

/**
 * Opens a list that shows what the database has for its address: as many, and these first. Returns
 * the number as the list writes it.
 */
export async function openListBySql(
  page: Page,
  app: App,
  { screen, address, open = () => pushAddress(page, address) }: Opening,
): Promise<string> {
  const posts = new PostsBySql(app.rows, address);
  const [words, ids] = [await posts.words(), await posts.ids(PAGE_SIZE)];
  await timed(screen, async () => {
    await open();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Scheduled Posts');
    await expect(page.getByText(words, { exact: true })).toBeVisible();
    await expect.poll(() => shownIds(page)).toEqual(ids);
  });
  return words.replace(/ posts?$/, '');
}
