import { planList } from '@meridian/contract';
import type { Plan } from '@meridian/contract';
import type { Locator, Page } from '@playwright/test';
import { expect } from './test.ts';
import { visit } from './visit.ts';
import type { StandIn } from './stand-in.ts';

/** One of the filters over the cards. */
export const planTab = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Plans shown' }).getByRole('button', { name });

export async function openPlans(
  page: Page,
  standIn: StandIn,
  plans: Plan[],
  search = '',
): Promise<void> {
  standIn.on(planList, { body: { plans } });
  await visit(page, standIn, `/plans${search}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Plans' })).toBeVisible();
}
