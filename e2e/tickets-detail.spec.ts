import { ticketGet } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { withoutEvents } from './support/open-requests.ts';
import { expect, test } from './support/test.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { stopClock, tickUntil } from './support/stopped-clock.ts';
import { assignmentRows, assignmentsOf, limitRow, limitsOf } from './support/ticket-page.ts';

const information = (page: Page) => page.getByRole('region', { name: 'Information' });
const valueOf = (page: Page, label: string) =>
  information(page).getByText(label, { exact: true }).locator('xpath=following-sibling::dd');

// Proves 2.130, 2.131, 2.132, 4.18, 7.26
test('opens without moving anything and shows all that is known of a ticket', async ({
  page,
  app,
  catalogue,
}) => {
  await withoutEvents(page);
  test.slow();
  await app.rows.administrator('ana', 'Ana Okafor');
  const ticket = await catalogue.ticket({
    issuer: 'ana',
    status: 'ACTIVE',
    redemptionCount: 2,
    redemptionDeadline: '2099-01-31T17:30:00.000Z',
    memo: 'For Harbour Lights.\nThey found the bug.',
    limitsOverride: { monthly_posts_limit: -1, thread_posts: false },
  });
  await catalogue.redemption(ticket, { displayName: 'صباح الخير '.repeat(10).trim() });
  const held = await app.hold(ticketGet);
  await watchLayoutShift(page);
  await app.open(`/tickets/${ticket.id}`);
  await expect(page.getByRole('status').getByText('Loading...')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to Tickets' })).toHaveAttribute(
    'href',
    '/tickets',
  );
  held.release();
  await expect(assignmentRows(page)).toHaveCount(1);
  await expect(page.getByText('Loading...')).toHaveCount(0);
  await expectNoLayoutShift(page);

  await expect(page.getByRole('heading', { level: 1, name: ticket.code })).toBeVisible();
  await expect(page).toHaveTitle(`${ticket.code} · Meridian`);
  await expect(page.getByRole('main').getByText('Active', { exact: true }).first()).toBeVisible();
  const shown = [
    ['Plan', 'StudioPREMIUM'],
    ['Issuer', 'Ana Okafor@ana'],
    ['Usage', '2 / 5'],
    ['Valid Period', '30 days from activation'],
    ['Issued At', '3 Nov 2026, 10:02'],
    ['Redemption Deadline', '31 Jan 2099, 18:30'],
    ['Last Updated', '4 Nov 2026, 10:02'],
    ['Memo', 'For Harbour Lights.\nThey found the bug.'],
  ] as const;
  for (const [label, value] of shown) await expect(valueOf(page, label), label).toHaveText(value);
  await expect(information(page).getByRole('term')).toHaveText(shown.map(([label]) => label));
  await expect(information(page).getByRole('link', { name: 'Studio' })).toHaveAttribute(
    'href',
    `/plans/${ticket.planId}/edit`,
  );
  expect(app.addressesOf(ticketGet)).toEqual([`/api/admin/tickets/${ticket.id}`]);

  // The limits are compared in four groups, with the overrides counted.
  await expect(limitsOf(page).getByRole('heading', { level: 3 })).toHaveText([
    'Posts & Scheduling',
    'Content',
    'Images',
    'Video',
  ]);
  await expect(limitsOf(page).getByText('2 overrides', { exact: true })).toBeVisible();
  await expect(limitsOf(page).getByText('Override', { exact: true })).toHaveCount(2);
  for (const [name, ofPlan, ofTicket] of [
    ['Monthly posts', '500', 'OverrideUnlimited'],
    ['Concurrent posts', '20', '20'],
    ['Schedule interval', '5 min', '5 min'],
    ['Thread posts', 'Yes', 'OverrideNo'],
    ['Max post length', '300', '300'],
    ['Max image size', '1 MB', '1 MB'],
    ['Video minutes per month', '60', '60'],
  ] as const) {
    await expect(limitRow(page, name).getByRole('cell')).toHaveText([ofPlan, ofTicket]);
  }
  for (const [group, name] of [
    ['Posts & Scheduling', 'Pending posts'],
    ['Content', 'Thread posts limit'],
    ['Images', 'Max images per post'],
    ['Video', 'Max video size'],
  ] as const) {
    await expect(
      page.getByRole('table', { name: group }).getByRole('rowheader', { name, exact: true }),
    ).toBeVisible();
  }
  await expectAccessibleInTwoLooks(page);
});

test('says what a ticket has not', async ({ page, app, catalogue }) => {
  const plan = await catalogue.plan({ limits: { max_video_size_mb: null } });
  const limitsOverride = { max_schedule_days: 365 };
  const { id } = await catalogue.ticket({ plan, maxRedemptions: null, limitsOverride });
  await app.open(`/tickets/${id}`);
  await expect(valueOf(page, 'Usage')).toHaveText('0 / ∞');
  await expect(valueOf(page, 'Redemption Deadline')).toHaveText('N/A');
  await expect(valueOf(page, 'Memo')).toHaveText('–');
  await expect(valueOf(page, 'Issuer')).toHaveText('admin@admin');
  await expect(limitsOf(page).getByText('1 override', { exact: true })).toBeVisible();
  for (const name of ['Max video size', 'Monthly posts']) {
    await expect(limitRow(page, name).getByRole('cell')).toHaveText(['N/A', 'N/A']);
  }
  await expect(
    assignmentsOf(page).getByText('This ticket has not been redeemed yet.'),
  ).toBeVisible();

  const plain = await catalogue.ticket({ plan });
  await app.open(`/tickets/${plain.id}`);
  await expect(limitsOf(page).getByText('No overrides')).toBeVisible();
});

// Proves 8.28
test('an unknown ticket has a way back', async ({ page, app }) => {
  await app.open('/tickets/nothing');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ticket not found');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByText('No ticket has this ID.')).toBeVisible();
  for (const name of ['Back to Tickets', 'See all tickets']) {
    await expect(page.getByRole('link', { name })).toHaveAttribute('href', '/tickets');
  }
});

// Proves 2.129, 9.14
test('copying the code puts it on the clipboard and says so for three seconds', async ({
  page,
  app,
  catalogue,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.clock.install();
  const ticket = await catalogue.ticket();
  await app.open(`/tickets/${ticket.id}`);
  const copy = page.getByRole('button', { name: 'Copy coupon code' });
  await expect(copy).toBeVisible();
  await stopClock(page);
  await copy.click();
  const toast = page.getByText(`Copied ${ticket.code}`, { exact: true });
  await tickUntil(page, () => toast.isVisible());
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(ticket.code);
  // Away from the message, which stays while the pointer is on it.
  await page.mouse.move(5, 5);
  await page.clock.runFor(2800);
  await expect(toast).toBeVisible();
  await page.clock.runFor(400);
  await expect(toast).toHaveCount(0);

  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('Not allowed'));
    document.execCommand = () => false;
  });
  await copy.click();
  await tickUntil(page, () => page.getByRole('alert').isVisible());
  await expect(page.getByRole('alert')).toHaveText(
    "Couldn't copy the code. Select it and copy it yourself.",
  );
});
