import type { Locator, Page } from '@playwright/test';

export const statusFilters = (page: Page): Locator =>
  page.getByRole('navigation', { name: 'Status' });
export const statusFilter = (page: Page, name: string): Locator =>
  statusFilters(page).getByRole('button', { name });
export const ticketSearch = (page: Page): Locator =>
  page.getByRole('searchbox', { name: 'Search' });
export const ticketTable = (page: Page): Locator =>
  page.getByRole('table', { name: 'Plan tickets' });
export const ticketCells = (page: Page): Locator => ticketTable(page).getByRole('cell');
export const ticketCodes = (page: Page): Locator => ticketTable(page).getByRole('link');
