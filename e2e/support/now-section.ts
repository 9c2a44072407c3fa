import type { Locator, Page } from '@playwright/test';

export const nowOf = (page: Page): Locator =>
  page.getByRole('region', { name: 'Now', exact: true });

export const cardOf = (page: Page, name: string): Locator =>
  nowOf(page).getByRole('region', { name });

export const figureOf = (page: Page, name: string): Locator =>
  nowOf(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name }) });
