import { planList, ticketGet, ticketIssue } from '@meridian/contract';
import { gate } from './support/gate.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { field } from './support/plan-form.ts';
import { samplePlan, sampleTicket } from './support/samples.ts';
import { stopClock, tickUntil } from './support/stopped-clock.ts';
import { expect, test } from './support/test.ts';
import { openTicketIssue, overrides, sentTickets, submitTicket } from './support/ticket-issue.ts';
import { visit } from './support/visit.ts';

test('starts with the defaults of the specification, and tells its bounds', async ({
  page,
  standIn,
}) => {
  await openTicketIssue(page, standIn);
  await expect(page).toHaveTitle('Issue New Ticket · Meridian');
  await expect(field(page, 'Plan').locator(':checked')).toHaveText('Choose a plan…');
  for (const [name, value, min, max] of [
    ['Valid days', '30', '1', '3650'],
    ['Max redemptions', '1', '1', '10000'],
  ] as const) {
    await expect(field(page, name)).toHaveValue(value);
    await expect(field(page, name)).toHaveAttribute('min', min);
    await expect(field(page, name)).toHaveAttribute('max', max);
  }
  await expect(field(page, 'Redemption deadline')).toHaveValue('');
  await expect(field(page, 'Memo')).toHaveValue('');
  await expect(overrides(page)).not.toBeChecked();
  await expect(field(page, 'Monthly posts')).toHaveCount(0);

  await overrides(page).check();
  for (const [name, min, max] of [
    ['Monthly posts', '-1', '10000'],
    ['Concurrent posts', '-1', '1000'],
    ['Max post length', '1', '300'],
    ['Max schedule days', '-1', '365'],
    ['Thread posts limit', '1', '25'],
  ] as const) {
    await expect(field(page, name)).toHaveValue('');
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
});

test('offers active plans that are not free, and marks the hidden ones', async ({
  page,
  standIn,
}) => {
  await openTicketIssue(page, standIn, [
    samplePlan({ tier: 'FREE', displayName: { en: 'Starter' } }),
    samplePlan(),
    samplePlan({ isActive: false, displayName: { en: 'Retired' } }),
    samplePlan({
      isVisible: false,
      tier: 'BASIC',
      name: 'early-bird',
      displayName: {},
      displayOrder: 30,
    }),
  ]);
  await expect(field(page, 'Plan').getByRole('option')).toHaveText([
    'Studio · PREMIUM',
    'early-bird · BASIC · Hidden',
  ]);
  expect(standIn.callsTo(planList)[0]?.url).toBe(
    '/api/admin/plans?includeInactive=true&includeInvisible=true',
  );
});

test('sends what was filled in and nothing else, once; two seconds later the ticket opens', async ({
  page,
  standIn,
}) => {
  await page.clock.install();
  const plan = samplePlan();
  const ticket = sampleTicket();
  await openTicketIssue(page, standIn, [plan]);
  await field(page, 'Plan').selectOption(plan.id);
  const slow = gate();
  standIn
    .on(ticketIssue, { status: 201, body: { ticket }, until: slow.opened })
    .on(ticketGet, { body: { ticket, assignments: [] } });
  await stopClock(page);
  await submitTicket(page).dblclick();
  await expect(page.getByRole('button', { name: 'Issuing...' })).toBeVisible();
  slow.open();
  const toast = page.getByText(`Ticket issued successfully: ${ticket.code}`, { exact: true });
  await tickUntil(page, () => toast.isVisible());
  await page.clock.runFor(1900);
  await expect(page).toHaveURL(`${standIn.url}/tickets/issue`);
  await page.clock.runFor(200);
  await expect(page).toHaveURL(`${standIn.url}/tickets/${ticket.id}`);
  const heading = page.getByRole('heading', { level: 1, name: ticket.code });
  await tickUntil(page, () => heading.isVisible());
  expect(sentTickets(standIn)).toEqual([{ planId: plan.id, validDays: 30, maxRedemptions: 1 }]);
});

test('sends every field, the deadline as UTC', async ({ page, standIn }) => {
  const plan = samplePlan();
  await openTicketIssue(page, standIn, [plan]);
  standIn.on(ticketIssue, { status: 201, body: { ticket: sampleTicket() } });
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
  await expect(page.getByText(/^Ticket issued successfully/)).toBeVisible();
  expect(sentTickets(standIn)).toEqual([
    {
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
    },
  ]);
});

test('without a plan to grant it says what to do', async ({ page, standIn }) => {
  standIn.on(planList, { body: { plans: [samplePlan({ tier: 'FREE' })] } });
  await visit(page, standIn, '/tickets/issue');
  await expect(page.getByText(/There is no active paid plan to issue a ticket for/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Create New Plan' })).toHaveAttribute(
    'href',
    '/plans/create',
  );
  await expect(submitTicket(page)).toHaveCount(0);
});

test('plans that do not load can be asked for again, without losing what was typed', async ({
  page,
  standIn,
}) => {
  standIn.on(planList, { cut: true });
  await visit(page, standIn, '/tickets/issue');
  await field(page, 'Memo').fill('For Harbour Lights');
  await expect(page.getByRole('alert')).toContainText('Failed to load plans');
  await expect(field(page, 'Plan').locator(':checked')).toHaveText('The plans could not be loaded');
  standIn.on(planList, { body: { plans: [samplePlan()] } });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(field(page, 'Plan').getByRole('option')).toHaveText(['Studio · PREMIUM']);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(field(page, 'Memo')).toHaveValue('For Harbour Lights');
});

test('Cancel returns to the list, and asks first when something would be lost', async ({
  page,
  standIn,
}) => {
  await openTicketIssue(page, standIn);
  const cancel = page.getByRole('link', { name: 'Cancel' });
  await cancel.click();
  await expect(page).toHaveURL(`${standIn.url}/tickets`);

  await page.goBack();
  await expect(page.getByRole('link', { name: 'Back to Tickets' })).toHaveAttribute(
    'href',
    '/tickets',
  );
  await field(page, 'Valid days').fill('7');
  await cancel.click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(`${standIn.url}/tickets/issue`);
  await expect(field(page, 'Valid days')).toHaveValue('7');
  await cancel.click();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page).toHaveURL(`${standIn.url}/tickets`);
});

test('works by keyboard alone', async ({ page, standIn }) => {
  await openTicketIssue(page, standIn);
  standIn.on(ticketIssue, { status: 201, body: { ticket: sampleTicket() } });
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
  expect(sentTickets(standIn)).toEqual([
    expect.objectContaining({ validDays: 31, limitsOverride: { monthly_posts_limit: 42 } }),
  ]);
});

test('opens without moving anything, and is accessible', async ({ page, standIn }) => {
  test.slow();
  const answer = gate();
  await watchLayoutShift(page);
  standIn.on(planList, { body: { plans: [samplePlan()] }, until: answer.opened });
  await visit(page, standIn, '/tickets/issue');
  await expect(field(page, 'Plan').locator(':checked')).toHaveText('Loading plans...');
  answer.open();
  await expect(field(page, 'Plan')).toBeEnabled();
  await expectNoLayoutShift(page);
  await field(page, 'Plan').selectOption({ index: 1 });
  await overrides(page).check();
  await field(page, 'Monthly posts').fill('-7');
  await field(page, 'Concurrent posts').fill('7');
  await submitTicket(page).click();
  await expect(field(page, 'Monthly posts')).toBeFocused();
  await expectAccessibleInTwoLooks(page);
});

test('the real server issues it, and has it', async ({ signedIn: page, meridian }) => {
  await page.getByRole('link', { name: 'Tickets', exact: true }).click();
  await page.getByRole('link', { name: 'Issue New Ticket' }).click();
  await expect(field(page, 'Plan')).toBeEnabled();
  await field(page, 'Plan').selectOption({ index: 1 });
  await field(page, 'Memo').fill('Made by a browser');
  await overrides(page).check();
  await field(page, 'Max post length').fill('200');
  await submitTicket(page).click();
  await expect(page.getByText(/^Ticket issued successfully: /)).toBeVisible();
  await expect(page).toHaveURL(/\/tickets\/[0-9a-f-]{36}$/);
  const id = page.url().split('/').at(-1) ?? '';
  const { ticket } = await meridian.call(ticketGet, { params: { id } });
  expect(ticket).toMatchObject({
    status: 'UNUSED',
    memo: 'Made by a browser',
    limitsOverride: { max_post_length: 200 },
  });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(ticket.code);
});
