import { ticketGet } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { gate } from './support/gate.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { sampleAssignment, sampleTicket } from './support/samples.ts';
import { stopClock, tickUntil } from './support/stopped-clock.ts';
import { expect, test } from './support/test.ts';
import { assignmentRows, assignmentsOf, openTicket } from './support/ticket-page.ts';
import { visit } from './support/visit.ts';

const information = (page: Page) => page.getByRole('region', { name: 'Information' });
const valueOf = (page: Page, label: string) =>
  information(page).getByText(label, { exact: true }).locator('xpath=following-sibling::dd');
const limits = (page: Page) => page.getByRole('region', { name: 'Plan Limits' });
const limitRow = (page: Page, name: string) =>
  limits(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) });

test.describe('a ticket', () => {
  test('shows all that is known of it', async ({ page, standIn }) => {
    const ticket = sampleTicket({
      redemptionCount: 2,
      redemptionDeadline: '2099-01-31T17:30:00.000Z',
      memo: 'For Harbour Lights.\nThey found the bug.',
    });
    await openTicket(page, standIn, ticket);
    await expect(page).toHaveTitle(`${ticket.code} · Meridian`);
    await expect(page.getByRole('main').getByText('Unused', { exact: true })).toBeVisible();
    for (const [label, value] of [
      ['Plan', 'StudioPREMIUM'],
      ['Issuer', 'Ana Okafor@ana'],
      ['Usage', '2 / 5'],
      ['Valid Period', '30 days from activation'],
      ['Issued At', '3 Nov 2026, 10:02'],
      ['Redemption Deadline', '31 Jan 2099, 18:30'],
      ['Last Updated', '4 Nov 2026, 11:15'],
      ['Memo', 'For Harbour Lights.\nThey found the bug.'],
    ] as const) {
      await expect(valueOf(page, label), label).toHaveText(value);
    }
    await expect(information(page).getByRole('term')).toHaveText([
      'Plan',
      'Issuer',
      'Usage',
      'Valid Period',
      'Issued At',
      'Redemption Deadline',
      'Last Updated',
      'Memo',
    ]);
    await expect(information(page).getByRole('link', { name: 'Studio' })).toHaveAttribute(
      'href',
      `/plans/${ticket.planId}/edit`,
    );
    expect(standIn.callsTo(ticketGet).map(({ url }) => url)).toEqual([
      `/api/admin/tickets/${ticket.id}`,
    ]);
  });

  test('says what it has not', async ({ page, standIn }) => {
    const { plan } = sampleTicket();
    await openTicket(
      page,
      standIn,
      sampleTicket({
        maxRedemptions: null,
        issuer: { displayName: null, handle: 'night-shift' },
        plan: { ...plan, name: 'plain-name', displayName: {} },
      }),
    );
    await expect(valueOf(page, 'Usage')).toHaveText('0 / ∞');
    await expect(valueOf(page, 'Redemption Deadline')).toHaveText('N/A');
    await expect(valueOf(page, 'Memo')).toHaveText('–');
    await expect(valueOf(page, 'Issuer')).toHaveText('night-shift@night-shift');
    await expect(valueOf(page, 'Plan')).toHaveText('plain-namePREMIUM');
    await expect(limits(page).getByText('No overrides')).toBeVisible();
    await expect(
      assignmentsOf(page).getByText('This ticket has not been redeemed yet.'),
    ).toBeVisible();
  });

  test('may come without its envelope', async ({ page, standIn }) => {
    const ticket = sampleTicket();
    standIn.on(ticketGet, { body: ticket });
    await visit(page, standIn, `/tickets/${ticket.id}`);
    await expect(page.getByRole('heading', { level: 1, name: ticket.code })).toBeVisible();
  });
});

test.describe('copying the code', () => {
  test('puts it on the clipboard and says so for three seconds', async ({
    page,
    standIn,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.clock.install();
    const ticket = sampleTicket();
    await openTicket(page, standIn, ticket);
    await stopClock(page);
    await page.getByRole('button', { name: 'Copy coupon code' }).click();
    const toast = page.getByText(`Copied ${ticket.code}`, { exact: true });
    await tickUntil(page, () => toast.isVisible());
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(ticket.code);
    // Away from the message, which stays while the pointer is on it.
    await page.mouse.move(5, 5);
    await page.clock.runFor(2800);
    await expect(toast).toBeVisible();
    await page.clock.runFor(400);
    await expect(toast).toHaveCount(0);
  });

  test('that fails says so', async ({ page, standIn }) => {
    await page.addInitScript(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('Not allowed'));
      document.execCommand = () => false;
    });
    await openTicket(page, standIn, sampleTicket());
    await page.getByRole('button', { name: 'Copy coupon code' }).click();
    await expect(page.getByRole('alert')).toHaveText(
      "Couldn't copy the code. Select it and copy it yourself.",
    );
  });
});

test.describe('the limits', () => {
  test('are compared in four groups, with the overrides counted', async ({ page, standIn }) => {
    await openTicket(
      page,
      standIn,
      sampleTicket({
        limitsOverride: { monthly_posts_limit: -1, thread_posts: false, max_post_length: null },
      }),
    );
    await expect(limits(page).getByRole('heading', { level: 3 })).toHaveText([
      'Posts & Scheduling',
      'Content',
      'Images',
      'Video',
    ]);
    await expect(limits(page).getByText('2 overrides', { exact: true })).toBeVisible();
    await expect(limits(page).getByText('Override', { exact: true })).toHaveCount(2);
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
  });

  test('one override is told in the singular', async ({ page, standIn }) => {
    await openTicket(page, standIn, sampleTicket({ limitsOverride: { max_schedule_days: 365 } }));
    await expect(limits(page).getByText('1 override', { exact: true })).toBeVisible();
  });

  test('of video are read in both spellings; what is not available says so', async ({
    page,
    standIn,
  }) => {
    const ticket = sampleTicket();
    const plan = {
      ...ticket.plan,
      limits: {
        video_upload: true,
        video_processing_minutes_monthly: 90,
        max_video_size_mb: null,
        pets_allowed: 3,
      },
    };
    await openTicket(page, standIn, { ...ticket, plan });
    for (const [name, value] of [
      ['Video upload', 'Yes'],
      ['Video minutes per month', '90'],
      ['Max video size', 'N/A'],
      ['Monthly posts', 'N/A'],
      ['Pets allowed', '3'],
    ] as const) {
      await expect(limitRow(page, name).getByRole('cell')).toHaveText([value, value]);
    }
  });
});

test.describe('the states', () => {
  test('loading, without moving anything', async ({ page, standIn }) => {
    const answer = gate();
    await watchLayoutShift(page);
    const ticket = sampleTicket();
    standIn.on(ticketGet, {
      body: { ticket, assignments: [sampleAssignment()] },
      until: answer.opened,
    });
    await visit(page, standIn, `/tickets/${ticket.id}`);
    await expect(page.getByRole('status').getByText('Loading...')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Back to Tickets' })).toBeVisible();
    answer.open();
    await expect(assignmentRows(page)).toHaveCount(1);
    await expect(page.getByText('Loading...')).toHaveCount(0);
    await expectNoLayoutShift(page);
  });

  for (const [what, body, heading] of [
    ['Ticket not found', {}, 'Ticket not found'],
    ["the server's own words", { message: 'Nothing here' }, 'Nothing here'],
  ] as const) {
    test(`unknown: says ${what}, with a way back`, async ({ page, standIn }) => {
      standIn.on(ticketGet, { status: 404, body });
      await visit(page, standIn, '/tickets/nothing');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
      await expect(page.getByRole('link', { name: 'Back to Tickets' })).toHaveAttribute(
        'href',
        '/tickets',
      );
      await expect(page.getByRole('alert')).toHaveCount(0);
      await expect(page.getByText('No ticket has this ID.')).toBeVisible();
      await expect(page.getByRole('link', { name: 'See all tickets' })).toHaveAttribute(
        'href',
        '/tickets',
      );
    });
  }

  for (const [what, answer, message] of [
    ["the server's own words", { status: 500, body: { message: 'Resting' } }, 'Resting'],
    ['no answer at all', { cut: true }, 'Failed to load ticket'],
  ] as const) {
    test(`failed with ${what}, and tried again`, async ({ page, standIn }) => {
      standIn.on(ticketGet, answer);
      await visit(page, standIn, '/tickets/some-ticket');
      await expect(page.getByRole('alert').getByText(message, { exact: true })).toBeVisible();
      const ticket = sampleTicket();
      standIn.on(ticketGet, { body: { ticket, assignments: [] } });
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(page.getByRole('heading', { level: 1, name: ticket.code })).toBeVisible();
      await expect(page.getByRole('alert')).toHaveCount(0);
    });
  }
});

test('is accessible', async ({ page, standIn }) => {
  test.slow();
  const ticket = sampleTicket({
    memo: 'long-words-'.repeat(40),
    limitsOverride: { monthly_posts_limit: -1, thread_posts: true },
  });
  const assignments = [
    sampleAssignment(),
    sampleAssignment({ status: 'PAUSED', expiresAt: null }),
    sampleAssignment({
      user: { ...sampleAssignment().user, displayName: 'صباح الخير '.repeat(12) },
    }),
  ];
  await openTicket(page, standIn, ticket, assignments);
  await expectAccessibleInTwoLooks(page);
  await page.getByRole('button', { name: 'Revoke Ticket' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessibleInTwoLooks(page);
});
