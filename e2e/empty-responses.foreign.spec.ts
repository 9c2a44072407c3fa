import { planList, planPublish, ticketIssue, ticketList } from '@meridian/contract';
import { field } from './support/plan-form.ts';
import { openPlans } from './support/plans-list.ts';
import { samplePlan } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { submitTicket } from './support/ticket-issue.ts';
import { visit } from './support/visit.ts';

/* Another server may confirm a change with a response that tells nothing about it. */

test('a publish that is confirmed without a count does not claim that nothing was published', async ({
  page,
  standIn,
}) => {
  await openPlans(page, standIn, [samplePlan()]);
  standIn.on(planPublish, { body: {} });
  await page.getByRole('button', { name: /^Publish/ }).click();
  await expect(page.getByText('Plans published', { exact: true })).toBeVisible();
  await expect(page.getByText(/published 0 plans/)).toHaveCount(0);
});

test('a ticket that is issued without being named leads to the list', async ({ page, standIn }) => {
  standIn.on(planList, { body: { plans: [samplePlan()] } });
  standIn.on(ticketIssue, { body: {} }).on(ticketList, { body: { tickets: [] } });
  await visit(page, standIn, '/tickets/issue');
  await expect(field(page, 'Plan')).toBeEnabled();
  await field(page, 'Plan').selectOption({ index: 1 });
  await submitTicket(page).click();
  await expect(page.getByText('Ticket issued', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(`${standIn.url}/tickets`);
});
