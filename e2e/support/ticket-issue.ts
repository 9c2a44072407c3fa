import { planList, ticketList } from '@meridian/contract';
import type { Plan } from '@meridian/contract';
import type { Locator, Page } from '@playwright/test';
import type { App } from './app.ts';
import { field } from './plan-form.ts';
import { samplePlan } from './samples.ts';
import { expect } from './test.ts';
import { visit } from './visit.ts';
import type { StandIn } from './stand-in.ts';

export const overrides = (page: Page): Locator =>
  page.getByRole('switch', { name: 'Override plan limits' });
export const submitTicket = (page: Page): Locator =>
  page.getByRole('button', { name: /^Issue Ticket/ });

/** The form on the real server, which has a plan to grant. */
export async function openTicketForm(page: Page, app: App): Promise<void> {
  await app.open('/tickets/issue');
  await expect(field(page, 'Plan')).toBeEnabled();
}

export async function openTicketIssue(
  page: Page,
  standIn: StandIn,
  plans: Plan[] = [samplePlan()],
): Promise<void> {
  standIn.on(planList, { body: { plans } }).on(ticketList, { body: { tickets: [] } });
  await visit(page, standIn, '/tickets/issue');
  await expect(page.getByRole('heading', { level: 1, name: 'Issue New Ticket' })).toBeVisible();
  await expect(field(page, 'Plan')).toBeEnabled();
}
