import { ticketGet } from '@meridian/contract';
import type { Assignment, Ticket } from '@meridian/contract';
import type { Locator, Page } from '@playwright/test';
import { expect } from './test.ts';
import { visit } from './visit.ts';
import type { StandIn } from './stand-in.ts';

export async function openTicket(
  page: Page,
  standIn: StandIn,
  ticket: Ticket,
  assignments: Assignment[] = [],
): Promise<void> {
  standIn.on(ticketGet, { body: { ticket, assignments } });
  await visit(page, standIn, `/tickets/${ticket.id}`);
  await expect(page.getByRole('heading', { level: 1, name: ticket.code })).toBeVisible();
}

export const revokeCard = (page: Page): Locator =>
  page.getByRole('region', { name: 'Revoke Ticket' });
export const assignmentsOf = (page: Page): Locator =>
  page.getByRole('region', { name: 'Assignments' });
export const assignmentRows = (page: Page): Locator =>
  assignmentsOf(page).locator('tbody').getByRole('row');

export const limitsOf = (page: Page): Locator => page.getByRole('region', { name: 'Plan Limits' });
export const limitRow = (page: Page, name: string): Locator =>
  limitsOf(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) });
