import { ticketIssue } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { field } from './support/plan-form.ts';
import { samplePlan, sampleTicket } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { openTicketIssue, overrides, sentTickets, submitTicket } from './support/ticket-issue.ts';

const preview = (page: Page) => page.getByRole('region', { name: 'Effective limits' });

/** The limit of this name in the preview, with the mark of an override if it has one. */
const previewed = (page: Page, name: string) =>
  preview(page).getByText(name, { exact: true }).locator('xpath=following-sibling::dd');

test('an override left empty, or taken back, is not sent', async ({ page, standIn }) => {
  const plan = samplePlan();
  await openTicketIssue(page, standIn, [plan]);
  standIn.on(ticketIssue, { status: 500, body: { message: 'Not yet' } });
  await field(page, 'Plan').selectOption(plan.id);
  await overrides(page).check();
  await field(page, 'Thread posts').selectOption('Yes');
  await submitTicket(page).click();
  await expect(page.getByRole('alert')).toContainText('Not yet');
  await field(page, 'Thread posts').selectOption({ index: 0 });
  await submitTicket(page).click();
  await expect.poll(() => sentTickets(standIn)).toHaveLength(2);
  await field(page, 'Max post length').fill('wrong, but about to be hidden');
  await overrides(page).uncheck();
  await submitTicket(page).click();
  await expect.poll(() => sentTickets(standIn)).toHaveLength(3);
  const plain = { planId: plan.id, validDays: 30, maxRedemptions: 1 };
  expect(sentTickets(standIn)).toEqual([
    { ...plain, limitsOverride: { thread_posts: true } },
    plain,
    plain,
  ]);
});

test('previews the limits as they will be, and marks what is overridden', async ({
  page,
  standIn,
}) => {
  await openTicketIssue(page, standIn, [
    samplePlan(),
    samplePlan({
      displayName: { en: 'Newsroom' },
      limits: { concurrent_posts_limit: -1, max_video_size_mb: null, thread_posts: false },
    }),
  ]);
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
  standIn,
}) => {
  const plan = samplePlan();
  await openTicketIssue(page, standIn, [plan]);
  standIn.on(ticketIssue, { status: 201, body: { ticket: sampleTicket() } });
  await field(page, 'Plan').selectOption(plan.id);
  await overrides(page).check();
  await field(page, 'Thread posts limit').fill('25');
  await expect(previewed(page, 'Thread posts limit')).toHaveText('Override25');
  await field(page, 'Thread posts').selectOption('No');
  await expect(field(page, 'Thread posts limit')).toHaveCount(0);
  await expect(previewed(page, 'Thread posts limit')).toHaveText('24');
  await submitTicket(page).click();
  await expect.poll(() => sentTickets(standIn)).toHaveLength(1);
  expect(sentTickets(standIn)[0]).toMatchObject({ limitsOverride: { thread_posts: false } });
  expect(sentTickets(standIn)[0]).not.toHaveProperty('limitsOverride.thread_posts_limit');
});
