import {
  assignmentList,
  currencyList,
  ticketGet,
  ticketList,
  userGet,
  userPosts,
} from '@meridian/contract';
import { openPlanCreate, toggle } from './support/plan-form.ts';
import { sampleCurrency, samplePlan, sampleTicket, sampleUser } from './support/samples.ts';
import { currencies, openSettings } from './support/settings-page.ts';
import { expect, test } from './support/test.ts';
import { openTicketIssue } from './support/ticket-issue.ts';
import { visit } from './support/visit.ts';

/* Values of another kind than the specification's: what cannot be read is unknown, not No or 0. */

test('a flag in other words is read where it can be, and is a dash where it cannot', async ({
  page,
  standIn,
}) => {
  const user = { ...sampleUser(), is_active: 'perhaps', has_access_keyword_access: 1 };
  standIn
    .on(userGet, { body: { user } })
    .on(userPosts, { body: { posts: [], total: 0 } })
    .on(assignmentList, { body: { assignments: [] } });
  await visit(page, standIn, `/users/${user.id}`);
  const profile = page.getByRole('region', { name: 'Profile' });
  await expect(profile).toContainText('Active–');
  await expect(profile).toContainText('Access KeywordYes');
});

test('a ticket without days and with an unknown status makes no sentence of them', async ({
  page,
  standIn,
}) => {
  const ticket = { ...sampleTicket(), status: 'LOST', validDays: null };
  standIn
    .on(ticketGet, { body: { ticket, assignments: [] } })
    .on(ticketList, { body: { tickets: [ticket] } });
  await visit(page, standIn, `/tickets/${ticket.id}`);
  await expect(page.getByText('This one is LOST.')).toBeVisible();
  await expect(page.getByText('– days')).toHaveCount(0);
  await page.getByRole('link', { name: 'Back to Tickets' }).click();
  await expect(page.getByRole('cell', { name: ticket.code })).toBeVisible();
  await expect(page.getByText('– days')).toHaveCount(0);
});

test('plans and currencies without names can be told apart, and one without a code has no prices', async ({
  page,
  standIn,
}) => {
  const nameless = { ...samplePlan(), id: 'plan-7', name: '', displayName: {} };
  await openTicketIssue(page, standIn, [nameless]);
  await expect(page.getByRole('combobox', { name: 'Plan' })).toContainText('plan-7');

  const blank = { ...sampleCurrency(), id: 'currency-7', code: '', name: '', symbol: '' };
  await openSettings(page, standIn);
  standIn.on(currencyList, { body: { currencies: [blank, sampleCurrency()] } });
  await page.reload();
  await expect(currencies(page).getByRole('row').nth(1).getByRole('cell')).toContainText([
    '–',
    '–',
    '–',
  ]);

  await openPlanCreate(page, standIn, [blank, sampleCurrency()]);
  await toggle(page, 'Paid plan').click();
  await expect(page.getByLabel(/^Monthly price/)).toHaveCount(1);
});
