import { planList, ticketGet, ticketIssue, ticketList } from '@meridian/contract';
import { expect, test } from './support/test.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { preload } from './support/navigate.ts';
import { field } from './support/plan-form.ts';
import { stopClock, tickUntil } from './support/stopped-clock.ts';
import { openTicketForm, overrides, submitTicket } from './support/ticket-issue.ts';

// Proves 2.124, 5.19, 5.20, 5.21, 5.22, 9.7
test('opens without moving anything, with the defaults, bounds and plans of the specification', async ({
  page,
  app,
  catalogue,
}) => {
  await catalogue.plan();
  const free = { priceMonthly: null, priceYearly: null };
  await catalogue.plan({ tier: 'FREE', displayName: { en: 'Starter' }, ...free });
  await catalogue.plan({ isActive: false, displayName: { en: 'Retired' } });
  const hidden = { isVisible: false, displayName: { en: 'Early bird' }, displayOrder: 30 };
  await catalogue.plan({ tier: 'BASIC', ...hidden });
  const held = await app.hold(planList);
  await watchLayoutShift(page);
  await app.open('/tickets/issue');
  await expect(field(page, 'Plan').locator(':checked')).toHaveText('Loading plans...');
  held.release();
  await expect(field(page, 'Plan')).toBeEnabled();
  await expectNoLayoutShift(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Issue New Ticket' })).toBeVisible();
  await expect(page).toHaveTitle('Issue New Ticket · Meridian');
  await expect(field(page, 'Plan').locator(':checked')).toHaveText('Choose a plan…');
  await expect(field(page, 'Plan').getByRole('option')).toHaveText([
    'Studio · PREMIUM',
    'Early bird · BASIC · Hidden',
  ]);
  expect(app.callsTo(planList)[0]?.url).toBe(
    '/api/admin/plans?includeInactive=true&includeInvisible=true',
  );
  await expect(field(page, 'Redemption deadline')).toHaveValue('');
  await expect(field(page, 'Memo')).toHaveValue('');
  await expect(overrides(page)).not.toBeChecked();
  await expect(field(page, 'Monthly posts')).toHaveCount(0);
  await overrides(page).check();
  for (const [name, value, min, max] of [
    ['Valid days', '30', '1', '3650'],
    ['Max redemptions', '1', '1', '10000'],
    ['Monthly posts', '', '-1', '10000'],
    ['Concurrent posts', '', '-1', '1000'],
    ['Max post length', '', '1', '300'],
    ['Max schedule days', '', '-1', '365'],
    ['Thread posts limit', '', '1', '25'],
  ] as const) {
    await expect(field(page, name)).toHaveValue(value);
    await expect(field(page, name)).toHaveAttribute('min', min);
    await expect(field(page, name)).toHaveAttribute('max', max);
  }
  await expect(field(page, 'Schedule interval').getByRole('option')).toHaveText([
    'Plan default',
    '1 min',
    '5 min',
    '10 min',
    '15 min',
  ]);
  await expect(field(page, 'Thread posts').getByRole('option')).toHaveText([
    'Plan default',
    'Yes',
    'No',
  ]);
  await field(page, 'Plan').selectOption({ index: 1 });
  await field(page, 'Monthly posts').fill('-7');
  await field(page, 'Concurrent posts').fill('7');
  await submitTicket(page).click();
  await expect(field(page, 'Monthly posts')).toBeFocused();
  await expectAccessibleInTwoLooks(page);
});

// Proves 2.126, 2.127, 4.36, 8.50
test('sends what was filled in and nothing else, once; two seconds later the ticket opens', async ({
  page,
  app,
  catalogue,
}) => {
  const plan = await catalogue.plan();
  await page.clock.install();
  await openTicketForm(page, app);
  await preload(page, '/tickets/none');
  await field(page, 'Plan').selectOption(plan.id);
  const held = await app.hold(ticketIssue);
  await stopClock(page);
  await submitTicket(page).dblclick();
  await expect(page.getByRole('button', { name: 'Issuing...' })).toBeVisible();
  held.release();
  const toast = page.getByText(/^Ticket issued successfully: /);
  await tickUntil(page, () => toast.isVisible());
  const { tickets } = await app.meridian.call(ticketList);
  const [ticket] = tickets;
  expect(tickets).toHaveLength(1);
  await expect(toast).toHaveText(`Ticket issued successfully: ${ticket?.code}`);
  await page.clock.runFor(1900);
  await expect(page).toHaveURL(`${app.url}/tickets/issue`);
  await page.clock.runFor(200);
  await expect(page).toHaveURL(`${app.url}/tickets/${ticket?.id}`);
  const heading = page.getByRole('heading', { level: 1, name: ticket?.code ?? '' });
  await tickUntil(page, () => heading.isVisible());
  expect(app.callsTo(ticketIssue).map(({ body }) => body)).toEqual([
    { planId: plan.id, validDays: 30, maxRedemptions: 1 },
  ]);
});

// Proves 1.5, 2.123, 7.24
test('sends every field, the deadline as UTC, and the server keeps them', async ({
  page,
  app,
  catalogue,
}) => {
  const plan = await catalogue.plan();
  await openTicketForm(page, app);
  await field(page, 'Plan').selectOption(plan.id);
  await field(page, 'Valid days').fill('3650');
  await field(page, 'Max redemptions').fill('10000');
  await field(page, 'Redemption deadline').fill('2099-07-31T18:30');
  await expect(field(page, 'Redemption deadline')).toHaveAccessibleDescription(
    'In your time zone, Europe/Berlin; that is 31 Jul 2099, 16:30 UTC.',
  );
  await field(page, 'Memo').fill('  For Harbour Lights.\nThey found the bug. ');
  await overrides(page).check();
  await field(page, 'Monthly posts').fill('-1');
  await field(page, 'Concurrent posts').fill('1000');
  await field(page, 'Schedule interval').selectOption('1 min');
  await field(page, 'Max post length').fill('300');
  await field(page, 'Max schedule days').fill('365');
  await field(page, 'Thread posts').selectOption('Yes');
  await field(page, 'Thread posts limit').fill('25');
  await submitTicket(page).click();
  await expect(page).toHaveURL(/\/tickets\/[0-9a-f-]{36}$/);
  const sent = {
    planId: plan.id,
    validDays: 3650,
    maxRedemptions: 10_000,
    redemptionDeadline: '2099-07-31T16:30:00.000Z',
    memo: 'For Harbour Lights.\nThey found the bug.',
    limitsOverride: {
      monthly_posts_limit: -1,
      concurrent_posts_limit: 1000,
      schedule_interval_minutes: 1,
      max_post_length: 300,
      max_schedule_days: 365,
      thread_posts: true,
      thread_posts_limit: 25,
    },
  };
  expect(app.callsTo(ticketIssue).map(({ body }) => body)).toEqual([sent]);
  const id = page.url().split('/').at(-1) ?? '';
  const { ticket } = await app.meridian.call(ticketGet, { params: { id } });
  expect(ticket).toMatchObject({ ...sent, status: 'UNUSED', redemptionCount: 0 });
});

test('without a plan to grant it says what to do', async ({ page, app, catalogue }) => {
  await catalogue.plan({ tier: 'FREE', priceMonthly: null, priceYearly: null });
  await app.open('/tickets/issue');
  await expect(page.getByText(/There is no active paid plan to issue a ticket for/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Create New Plan' })).toHaveAttribute(
    'href',
    '/plans/create',
  );
  await expect(submitTicket(page)).toHaveCount(0);
});

// Proves 2.128
test('Cancel returns to the list, and asks first when something would be lost', async ({
  page,
  app,
  catalogue,
}) => {
  await catalogue.plan();
  await openTicketForm(page, app);
  const cancel = page.getByRole('link', { name: 'Cancel' });
  await cancel.click();
  await expect(page).toHaveURL(`${app.url}/tickets`);

  await page.goBack();
  await expect(page.getByRole('link', { name: 'Back to Tickets' })).toHaveAttribute(
    'href',
    '/tickets',
  );
  await field(page, 'Valid days').fill('7');
  await cancel.click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(`${app.url}/tickets/issue`);
  await expect(field(page, 'Valid days')).toHaveValue('7');
  await cancel.click();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page).toHaveURL(`${app.url}/tickets`);
});

test('works by keyboard alone', async ({ page, app, catalogue }) => {
  await catalogue.plan();
  await openTicketForm(page, app);
  await field(page, 'Plan').focus();
  await page.keyboard.type('Stu');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowUp');
  await expect(field(page, 'Valid days')).toHaveValue('31');
  await overrides(page).press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.type('42');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Ticket issued successfully/)).toBeVisible();
  expect(app.callsTo(ticketIssue).map(({ body }) => body)).toEqual([
    expect.objectContaining({ validDays: 31, limitsOverride: { monthly_posts_limit: 42 } }),
  ]);
});
