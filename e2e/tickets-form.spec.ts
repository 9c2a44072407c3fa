import { planSetActive, ticketIssue, ticketList } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { expect, test } from './support/test.ts';
import { field } from './support/plan-form.ts';
import { openTicketForm, overrides, submitTicket } from './support/ticket-issue.ts';

const preview = (page: Page) => page.getByRole('region', { name: 'Effective limits' });

/** The limit of this name in the preview, with the mark of an override if it has one. */
const previewed = (page: Page, name: string) =>
  preview(page).getByText(name, { exact: true }).locator('xpath=following-sibling::dd');

// Proves 2.125
test('previews the limits as they will be, and marks what is overridden', async ({
  page,
  app,
  catalogue,
}) => {
  await catalogue.plan();
  await catalogue.plan({
    displayName: { en: 'Newsroom' },
    limits: { concurrent_posts_limit: -1, max_video_size_mb: null, thread_posts: false },
  });
  await openTicketForm(page, app);
  await expect(preview(page)).toContainText('Choose a plan to see what the ticket grants.');
  await field(page, 'Plan').selectOption('Studio · PREMIUM');
  await expect(preview(page).getByRole('heading', { level: 3 })).toHaveText([
    'Posts & Scheduling',
    'Content',
    'Images',
    'Video',
  ]);
  for (const [name, value] of [
    ['Monthly posts', '500'],
    ['Concurrent posts', '20'],
    ['Schedule interval', '5 min'],
    ['Storage', '10 GB'],
    ['Data retention days', 'Unlimited'],
  ] as const) {
    await expect(previewed(page, name)).toHaveText(value);
  }
  await expect(preview(page).getByText('Override')).toHaveCount(0);

  await overrides(page).check();
  await expect(field(page, 'Concurrent posts')).toHaveAttribute('placeholder', 'Plan default: 20');
  await field(page, 'Concurrent posts').fill('7');
  await expect(previewed(page, 'Concurrent posts')).toHaveText('Override7');
  await field(page, 'Monthly posts').fill('-1');
  await expect(previewed(page, 'Monthly posts')).toHaveText('OverrideUnlimited');
  await field(page, 'Thread posts').selectOption('No');
  await expect(previewed(page, 'Thread posts')).toHaveText('OverrideNo');
  await expect(preview(page).getByText('Override')).toHaveCount(3);
  // What cannot be sent changes nothing.
  await field(page, 'Concurrent posts').fill('1001');
  await expect(previewed(page, 'Concurrent posts')).toHaveText('20');

  await field(page, 'Plan').selectOption('Newsroom · PREMIUM');
  await expect(previewed(page, 'Concurrent posts')).toHaveText('Unlimited');
  await expect(previewed(page, 'Max video size')).toHaveText('N/A');
  await expect(previewed(page, 'Pending posts')).toHaveText('N/A');
  await overrides(page).uncheck();
  await expect(preview(page).getByText('Override')).toHaveCount(0);
});

test('without threads there is no limit to them: it is neither offered, previewed nor sent', async ({
  page,
  app,
  catalogue,
}) => {
  const plan = await catalogue.plan();
  await openTicketForm(page, app);
  await field(page, 'Plan').selectOption(plan.id);
  await overrides(page).check();
  await field(page, 'Thread posts limit').fill('25');
  await expect(previewed(page, 'Thread posts limit')).toHaveText('Override25');
  await field(page, 'Thread posts').selectOption('No');
  await expect(field(page, 'Thread posts limit')).toHaveCount(0);
  await expect(previewed(page, 'Thread posts limit')).toHaveText('24');
  await submitTicket(page).click();
  await expect(page.getByText(/^Ticket issued successfully/)).toBeVisible();
  expect(app.callsTo(ticketIssue)[0]?.body).toMatchObject({
    limitsOverride: { thread_posts: false },
  });
  const { tickets } = await app.meridian.call(ticketList);
  expect(tickets.map(({ limitsOverride }) => limitsOverride)).toEqual([{ thread_posts: false }]);
});

// Proves 5.23
test('an override left empty, or taken back, is not sent', async ({ page, app, catalogue }) => {
  const plan = await catalogue.plan();
  const plain = { planId: plan.id, validDays: 30, maxRedemptions: 1 };
  for (const takeBack of [
    () => field(page, 'Thread posts').selectOption({ index: 0 }),
    async () => {
      await field(page, 'Max post length').fill('wrong, but about to be hidden');
      await overrides(page).uncheck();
    },
  ]) {
    await openTicketForm(page, app);
    await field(page, 'Plan').selectOption(plan.id);
    await overrides(page).check();
    await field(page, 'Thread posts').selectOption('Yes');
    await takeBack();
    await submitTicket(page).click();
    await expect(page.getByText(/^Ticket issued successfully/)).toBeVisible();
    expect(app.callsTo(ticketIssue).at(-1)?.body).toEqual(plain);
  }
});

// Proves 5.18
test('asks for a plan first; a value out of bounds is refused at its field', async ({
  page,
  app,
  catalogue,
}) => {
  await catalogue.plan();
  await openTicketForm(page, app);
  await submitTicket(page).click();
  await expect(field(page, 'Plan')).toHaveAccessibleDescription('Plan is required');
  await expect(field(page, 'Plan')).toBeFocused();
  await field(page, 'Plan').selectOption({ index: 1 });
  await overrides(page).check();
  for (const [name, values, bounds, accepted] of [
    ['Valid days', ['', '0', '3651', '1.5', '1,000', '1.000', 'ten'], '1 to 3650', '30'],
    ['Max redemptions', ['', '0', '10001', '-1'], '1 to 10000', '1'],
    ['Monthly posts', ['-2', '10001', '1,000'], '-1 to 10000', ''],
    ['Concurrent posts', ['-2', '1001'], '-1 to 1000', ''],
    ['Max post length', ['0', '301'], '1 to 300', ''],
    ['Max schedule days', ['-2', '366'], '-1 to 365', ''],
    ['Thread posts limit', ['0', '26'], '1 to 25', ''],
  ] as const) {
    for (const value of values) {
      await field(page, name).fill(value);
      await submitTicket(page).click();
      await expect(field(page, name)).toHaveAccessibleDescription(
        new RegExp(`${name} must be a whole number from ${bounds}`),
      );
      await expect(field(page, name)).toBeFocused();
    }
    await field(page, name).fill(accepted);
  }
  await field(page, 'Memo').fill('x'.repeat(1001));
  await submitTicket(page).click();
  await expect(field(page, 'Memo')).toHaveAccessibleDescription(
    /Memo must be at most 1000 characters/,
  );
  expect(app.callsTo(ticketIssue)).toEqual([]);
});

test('the deadline must be whole and in the future', async ({ page, app, catalogue }) => {
  await catalogue.plan();
  await openTicketForm(page, app);
  await field(page, 'Plan').selectOption({ index: 1 });
  const deadline = field(page, 'Redemption deadline');
  await deadline.focus();
  await page.keyboard.type('12312098');
  await submitTicket(page).click();
  await expect(deadline).toHaveAccessibleDescription(
    /Redemption deadline needs both a date and a time/,
  );
  await deadline.fill('2020-01-01T12:00');
  await submitTicket(page).click();
  await expect(deadline).toHaveAccessibleDescription(/Redemption deadline must be in the future/);
  expect(app.callsTo(ticketIssue)).toEqual([]);
  await deadline.fill('2098-12-31T12:00');
  await submitTicket(page).click();
  await expect(page.getByText(/^Ticket issued successfully/)).toBeVisible();
});

test('what was typed stays when another administrator deactivates the last plan', async ({
  page,
  app,
  catalogue,
}) => {
  const plan = await catalogue.plan();
  await openTicketForm(page, app);
  await field(page, 'Memo').fill('For Harbour Lights');
  await catalogue.changePlan(plan, { isActive: false });
  // The page has heard of it once the plan can no longer be chosen.
  await expect(page.getByRole('option', { name: 'Studio' })).toHaveCount(0);
  await expect(field(page, 'Memo')).toHaveValue('For Harbour Lights');
});

test('a refusal of the server is said once, at its field, and nothing typed is lost', async ({
  page,
  app,
  catalogue,
}) => {
  const plan = await catalogue.plan();
  await openTicketForm(page, app);
  await field(page, 'Plan').selectOption({ index: 1 });
  await field(page, 'Memo').fill('For Harbour Lights');
  await catalogue.changePlan(plan, { isActive: false });
  await submitTicket(page).click();
  await expect(field(page, 'Plan')).toHaveAccessibleDescription(
    'Choose an active plan that is not free',
  );
  await expect(field(page, 'Plan')).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(field(page, 'Memo')).toHaveValue('For Harbour Lights');
});

test('a plan that was deactivated meanwhile does not leave another one in its place', async ({
  page,
  app,
  catalogue,
}) => {
  await catalogue.plan({ name: 'first', displayName: { en: 'First' }, displayOrder: 1 });
  const second = await catalogue.plan({
    name: 'second',
    displayName: { en: 'Second' },
    displayOrder: 2,
  });
  await openTicketForm(page, app);
  const plan = field(page, 'Plan');
  await plan.selectOption(second.id);
  const params = { id: second.id };
  await app.meridian.call(planSetActive, { params, body: { isActive: false } });
  await expect(plan.getByRole('option', { includeHidden: true })).toHaveCount(2);
  await expect(plan.locator(':checked')).toHaveText('Choose a plan…');
  await submitTicket(page).click();
  await expect(plan).toHaveAccessibleDescription('Choose an active plan that is not free');
  // The one that is left can be chosen.
  await plan.selectOption({ index: 1 });
  await submitTicket(page).click();
  await expect(page.getByText(/^Ticket issued successfully: /)).toBeVisible();
});
