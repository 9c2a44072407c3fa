import type { Locator, Page } from '@playwright/test';
import type { App } from './app.ts';
import { field } from './plan-form.ts';
import { expect } from './test.ts';

export const overrides = (page: Page): Locator =>
  page.getByRole('switch', { name: 'Override plan limits' });
export const submitTicket = (page: Page): Locator =>
  page.getByRole('button', { name: /^Issue Ticket/ });

/** The form on the real server, which has a plan to grant. */
export async function openTicketForm(page: Page, app: App): Promise<void> {
  await app.open('/tickets/issue');
  await expect(field(page, 'Plan')).toBeEnabled();
}
