import { assignmentList, assignmentRevoke, userGet, userRestrict } from '@meridian/contract';
import { gate } from './support/gate.ts';
import { sampleAssignment, sampleUser } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { openUser, plansOf, valueOf } from './support/user-page.ts';

const WARNING = 'Plan upgrades are currently prohibited for this user';

test.describe('an assignment', () => {
  test('shows plan, tier, ticket, status, times and every limit', async ({ page, standIn }) => {
    const assignment = sampleAssignment({
      activatedAt: '2026-11-03T09:02:00.000Z',
      expiresAt: '2026-12-03T09:02:00.000Z',
      ticket: { id: 'ticket-1', code: 'ABCD-EFGH-JKLM-NPQR' },
      plan: {
        id: 'plan-1',
        name: 'internal-name',
        displayName: { en: 'Premium Plus', ja: 'プレミアム' },
        tier: 'PREMIUM',
        limits: {
          monthly_posts_limit: 1500,
          pending_posts_limit: -1,
          schedule_interval_minutes: 5,
          markdown_support: true,
          thread_posts: false,
          max_video_size_mb: null,
          storage_mb: 2048,
          pets_allowed: 3,
        },
      },
    });
    const user = await openUser(page, standIn, { assignments: [assignment], posts: [] });
    const card = plansOf(page);
    await expect(card.getByRole('article')).toHaveCount(1);
    await expect(card.getByRole('heading', { name: 'Premium Plus' })).toBeVisible();
    for (const word of ['PREMIUM', 'ABCD-EFGH-JKLM-NPQR', 'Active']) {
      await expect(card.getByText(word, { exact: true })).toBeVisible();
    }
    for (const [label, value] of [
      ['Activated At', '3 Nov 2026, 10:02'],
      ['Expires At', '3 Dec 2026, 10:02'],
      ['Monthly posts', '1,500'],
      ['Pending posts', 'Unlimited'],
      ['Schedule interval', '5 min'],
      ['Markdown support', 'Yes'],
      ['Thread posts', 'No'],
      ['Max video size', 'N/A'],
      ['Storage', '2 GB'],
      ['Pets allowed', '3'],
    ] as const) {
      await expect(valueOf(page, label), label).toHaveText(value);
    }
    expect(standIn.callsTo(assignmentList).map(({ url }) => url)).toEqual([
      `/api/admin/users/${user.id}/plan-assignments`,
    ]);
  });

  test('without an end never expires, and without an English name shows the plain one', async ({
    page,
    standIn,
  }) => {
    const plan = { ...sampleAssignment().plan, name: 'plain-name', displayName: { ja: '名前' } };
    await openUser(page, standIn, {
      assignments: [sampleAssignment({ expiresAt: null, plan })],
      posts: [],
    });
    await expect(valueOf(page, 'Expires At')).toHaveText('Never');
    await expect(plansOf(page).getByRole('heading', { name: 'plain-name' })).toBeVisible();
  });

  test('can be revoked only while ACTIVE', async ({ page, standIn }) => {
    await openUser(page, standIn, {
      assignments: ['ACTIVE', 'EXPIRED', 'REVOKED', 'PAUSED'].map((status) =>
        sampleAssignment({ status }),
      ),
      posts: [],
    });
    const items = plansOf(page).getByRole('article');
    await expect(items).toHaveCount(4);
    for (const [index, [word, buttons]] of [
      ['Active', 1],
      ['Expired', 0],
      ['Revoked', 0],
      ['PAUSED', 0],
    ].entries() as ArrayIterator<[number, [string, number]]>) {
      await expect(items.nth(index).getByText(word, { exact: true })).toBeVisible();
      await expect(items.nth(index).getByRole('button', { name: 'Revoke' })).toHaveCount(buttons);
    }
  });

  test('of which the server says little shows dashes, and its code can be copied', async ({
    page,
    context,
    standIn,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    standIn.on(assignmentList, {
      body: { assignments: [{ ...sampleAssignment(), plan: null, status: null }] },
    });
    await openUser(page, standIn, { posts: [] });
    const item = plansOf(page).getByRole('article');
    await expect(item.getByRole('heading')).toHaveText('–');
    await expect(item.getByText('–', { exact: true })).toHaveCount(3);
    const copy = item.getByRole('button', { name: 'Copy ticket code' });
    await copy.click();
    await expect(item.getByRole('status')).toHaveText('Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('K7QM-2XTD-9HRA-W4NB');
  });

  test('shows the limits in force, with those of the plan beside overridden ones', async ({
    page,
    standIn,
  }) => {
    const limits = { monthly_posts_limit: 500, max_post_length: 300, thread_posts: false };
    const limitsOverride = { monthly_posts_limit: -1, thread_posts: true, max_post_length: null };
    await openUser(page, standIn, {
      assignments: [
        sampleAssignment({ plan: { ...sampleAssignment().plan, limits }, limitsOverride }),
      ],
      posts: [],
    });
    await expect(valueOf(page, 'Monthly posts')).toHaveText('Unlimited OverridePlan: 500');
    await expect(valueOf(page, 'Thread posts')).toHaveText('Yes OverridePlan: No');
    await expect(valueOf(page, 'Max post length')).toHaveText('300');
  });

  test('leads to its ticket', async ({ page, standIn }) => {
    const ticket = { id: 'ticket-9', code: 'ABCD-EFGH-JKLM-NPQR' };
    await openUser(page, standIn, { assignments: [sampleAssignment({ ticket })], posts: [] });
    await expect(plansOf(page).getByRole('link', { name: ticket.code })).toHaveAttribute(
      'href',
      '/tickets/ticket-9',
    );
  });

  test('may come without its user, and can be revoked all the same', async ({ page, standIn }) => {
    const { user: _, ...assignment } = sampleAssignment();
    standIn.on(assignmentList, { body: { assignments: [assignment] } });
    const user = await openUser(page, standIn, { posts: [] });
    standIn.on(assignmentRevoke, { body: {} });
    await plansOf(page).getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText('Plan assignment revoked')).toBeVisible();
    expect(standIn.callsTo(assignmentRevoke)[0]?.url).toBe(
      `/api/admin/users/${user.id}/plan-assignments/${assignment.id}/revoke`,
    );
  });

  test('none at all says so', async ({ page, standIn }) => {
    await openUser(page, standIn, { assignments: [], posts: [] });
    await expect(plansOf(page).getByText('No plans assigned')).toBeVisible();
  });
});

test.describe('revoking', () => {
  test('asks in the words of the specification, revokes once, reads the list again', async ({
    page,
    standIn,
  }) => {
    const assignment = sampleAssignment();
    const user = await openUser(page, standIn, { assignments: [assignment], posts: [] });
    const opener = plansOf(page).getByRole('button', { name: 'Revoke' });
    await opener.click();
    const dialog = page.getByRole('alertdialog', { name: 'Revoke Plan Assignment' });
    await expect(
      dialog.getByText(
        'Are you sure you want to revoke the Studio plan assignment? This action cannot be undone.',
        { exact: true },
      ),
    ).toBeVisible();
    await expect(dialog).toContainText(
      `${user.display_name} (@${user.handle}) loses the Studio plan immediately.`,
    );
    await expect(dialog.getByRole('button', { name: 'Confirm' })).toHaveClass(/bg-danger-fill/);
    await page.keyboard.press('Escape');
    await expect(opener).toBeFocused();
    expect(standIn.callsTo(assignmentRevoke)).toEqual([]);

    await opener.click();
    const answer = gate();
    const revoked = { ...assignment, status: 'REVOKED' };
    standIn
      .on(assignmentRevoke, { body: { assignment: revoked }, until: answer.opened })
      .on(assignmentList, { body: { assignments: [revoked] } });
    await dialog.getByRole('button', { name: 'Confirm' }).dblclick();
    answer.open();
    await expect(plansOf(page).getByText('Revoked', { exact: true })).toBeVisible();
    await expect(opener).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Messages' })).toHaveText(
      'Plan assignment revoked',
    );
    expect(standIn.callsTo(assignmentRevoke)).toEqual([
      expect.objectContaining({
        method: 'POST',
        url: `/api/admin/users/${user.id}/plan-assignments/${assignment.id}/revoke`,
        body: null,
      }),
    ]);
    expect(standIn.callsTo(assignmentList)).toHaveLength(2);
  });

  for (const [what, answer, message] of [
    [
      'the reason',
      { status: 404, body: { message: 'Assignment not found' } },
      'Assignment not found',
    ],
    ['its own words', { cut: true }, 'Failed to revoke plan assignment'],
  ] as const) {
    test(`that fails says ${what} in the dialog`, async ({ page, standIn }) => {
      await openUser(page, standIn, { assignments: [sampleAssignment()], posts: [] });
      standIn.on(assignmentRevoke, answer);
      await plansOf(page).getByRole('button', { name: 'Revoke' }).click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await expect(dialog.getByRole('alert')).toContainText(message);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(plansOf(page).getByRole('button', { name: 'Revoke' })).toBeVisible();
    });
  }
});

test.describe('upgrades', () => {
  test('are prohibited and enabled again, with a warning in between', async ({ page, standIn }) => {
    const user = await openUser(page, standIn, { assignments: [], posts: [] });
    const card = plansOf(page);
    await expect(page.getByText(WARNING)).toHaveCount(0);
    const answer = gate();
    standIn
      .on(userRestrict, { body: { upgradeProhibited: true }, until: answer.opened })
      .on(userGet, { body: { user: { ...user, upgrade_prohibited: true } } });
    await card.getByRole('button', { name: 'Prohibit Upgrades' }).dblclick();
    await expect(card.getByRole('button', { name: 'Prohibiting...' })).toHaveAttribute(
      'aria-busy',
      'true',
    );
    answer.open();
    await expect(page.getByText('Upgrades prohibited')).toBeVisible();
    await expect(card.getByText(WARNING)).toBeVisible();
    standIn
      .on(userRestrict, { body: { upgradeProhibited: false } })
      .on(userGet, { body: { user } });
    await card.getByRole('button', { name: 'Enable Upgrades' }).click();
    await expect(page.getByText('Upgrades enabled')).toBeVisible();
    await expect(card.getByRole('button', { name: 'Prohibit Upgrades' })).toBeVisible();
    await expect(page.getByText(WARNING)).toHaveCount(0);
    expect(
      standIn.callsTo(userRestrict).map(({ method, url, body }) => [method, url, body]),
    ).toEqual(
      [true, false].map((upgradeProhibited) => [
        'PATCH',
        `/api/admin/users/${user.id}/restrictions`,
        { upgradeProhibited },
      ]),
    );
  });

  test('the warning is red', async ({ page, standIn }) => {
    await openUser(page, standIn, {
      user: sampleUser({ upgrade_prohibited: true }),
      assignments: [],
      posts: [],
    });
    const colour = await plansOf(page)
      .getByText(WARNING)
      .evaluate((element) => getComputedStyle(element).color);
    const [red = 0, green = 0, blue = 0] = colour.match(/\d+/g)?.map(Number) ?? [];
    expect(red).toBeGreaterThan(2 * Math.max(green, blue));
  });

  for (const [what, answer, message] of [
    ['the reason', { status: 500, body: { message: 'Not now' } }, 'Not now'],
    ['its own words', { cut: true }, 'Failed to update upgrade restrictions'],
  ] as const) {
    test(`that cannot be changed say ${what}`, async ({ page, standIn }) => {
      await openUser(page, standIn, { assignments: [], posts: [] });
      standIn.on(userRestrict, answer);
      await plansOf(page).getByRole('button', { name: 'Prohibit Upgrades' }).click();
      await expect(plansOf(page).getByRole('alert')).toContainText(message);
      await expect(plansOf(page).getByText(/were not/)).toHaveCount(0);
      await expect(page.getByText(WARNING)).toHaveCount(0);
      await plansOf(page).getByRole('button', { name: 'Dismiss' }).click();
      await expect(plansOf(page).getByRole('alert')).toHaveCount(0);
    });
  }
});
