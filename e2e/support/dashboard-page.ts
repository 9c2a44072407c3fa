import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { Stats } from '@meridian/contract';

export const STATS: Stats = {
  users: {
    total: 12_345,
    activeUsers: 11_000,
    byStatus: [
      { status: 'ACTIVE', count: 11_000 },
      { status: 'RESTRICTED', count: 345 },
      { status: 'SUSPENDED', count: 600 },
      { status: 'BLOCKED', count: 400 },
    ],
  },
  posts: {
    total: 3000,
    byStatus: [
      { status: 'PENDING', count: 1000 },
      { status: 'PROCESSING', count: 1 },
      { status: 'COMPLETED', count: 1500 },
      { status: 'FAILED', count: 499 },
      { status: 'CANCELLED', count: 0 },
    ],
  },
};

export const card = (page: Page, title: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: title }) });
export const chart = (page: Page, title: string) => page.getByRole('region', { name: title });

/** The rows of a chart's table: word, count, percentage. */
export async function rowsOf(page: Page, title: string): Promise<string[][]> {
  const table = chart(page, title).getByRole('table', { name: title });
  await expect(table).toBeVisible();
  const rows = await table.getByRole('row').all();
  const cells = rows.map((row) =>
    row.locator('th, td').evaluateAll((all) => all.map((cell) => cell.textContent.trim())),
  );
  return Promise.all(cells);
}
