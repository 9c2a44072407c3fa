import { assignmentList, assignmentRevoke, userRestrict } from '@meridian/contract';
import { withoutEvents } from './support/open-requests.ts';
import { expect, test } from './support/test.ts';
import { plansOf, valueOf } from './support/user-page.ts';

const WARNING = 'Plan upgrades are currently prohibited for this user';
const CODE = 'ABCD-EFGH-JKLM-NPQR';

// Proves 2.55, 2.58
test('an assignment shows plan, tier, ticket, status, times and every limit', async ({
  page,
  context,
  app,
}) => {
  await withoutEvents(page);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const user = await app.rows.user();
  await app.rows.assignment(user, {
    activatedAt: '2026-11-03T09:02:00.000Z',
    expiresAt: '2096-12-03T09:02:00.000Z',
    code: CODE,
    plan: {
      displayName: { en: 'Premium Plus', ja: 'プレミアム' },
      limits: {
        monthly_posts_limit: 1500,
        pending_posts_limit: -1,
        schedule_interval_minutes: 5,
        markdown_support: true,
        thread_posts: false,
        max_video_size_mb: null,
        storage_mb: 2048,
      },
    },
  });
  await app.open(`/users/${user.id}`);
  const card = plansOf(page);
  await expect(card.getByRole('article')).toHaveCount(1);
  await expect(card.getByRole('heading', { name: 'Premium Plus' })).toBeVisible();
  // Which of several it is.
  await expect(card.getByRole('button', { name: 'Revoke' })).toHaveAccessibleDescription(
    'Premium Plus',
  );
  for (const word of ['PREMIUM', CODE, 'Active']) {
    await expect(card.getByText(word, { exact: true })).toBeVisible();
  }
  for (const [label, value] of [
    ['Activated At', '3 Nov 2026, 10:02'],
    ['Expires At', '3 Dec 2096, 10:02'],
    ['Monthly posts', '1,500'],
    ['Pending posts', 'Unlimited'],
    ['Schedule interval', '5 min'],
    ['Markdown support', 'Yes'],
    ['Thread posts', 'No'],
    ['Max video size', 'N/A'],
    ['Storage', '2 GB'],
  ] as const) {
    await expect(valueOf(page, label), label).toHaveText(value);
  }
  await expect(card.getByRole('link', { name: CODE })).toHaveAttribute(
    'href',
    /^\/tickets\/[0-9a-f-]{36}$/,
  );
  await card.getByRole('button', { name: 'Copy ticket code' }).click();
  await expect(card.getByRole('article').getByRole('status')).toHaveText('Copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(CODE);
  expect(app.callsTo(assignmentList).map(({ url }) => url)).toEqual([
    `/api/admin/users/${user.id}/plan-assignments`,
  ]);
});

test('an assignment shows the limits in force, with those of the plan beside overridden ones', async ({
  page,
  app,
}) => {
  const user = await app.rows.user();
  await app.rows.assignment(user, {
    code: CODE,
    plan: { limits: { monthly_posts_limit: 500, max_post_length: 300, thread_posts: false } },
    limitsOverride: { monthly_posts_limit: -1, thread_posts: true },
  });
  await app.open(`/users/${user.id}`);
  await expect(valueOf(page, 'Monthly posts')).toHaveText('Unlimited OverridePlan: 500');
  await expect(valueOf(page, 'Thread posts')).toHaveText('Yes OverridePlan: No');
  await expect(valueOf(page, 'Max post length')).toHaveText('300');
});

// Proves 2.56, 2.57
test('an assignment can be revoked only while ACTIVE, and one without an end never expires', async ({
  page,
  app,
}) => {
  const user = await app.rows.user();
  await app.open(`/users/${user.id}`);
  await expect(plansOf(page).getByText('No plans assigned')).toBeVisible();
  await app.rows.assignment(user, { expiresAt: null, plan: { displayName: { en: 'Endless' } } });
  for (const status of ['EXPIRED', 'REVOKED'] as const) {
    await app.rows.assignment(user, { status, plan: { displayName: { en: status } } });
  }
  // The end has passed; the row still says ACTIVE.
  const expiresAt = '2026-10-05T10:00:00.000Z';
  await app.rows.assignment(user, { expiresAt, plan: { displayName: { en: 'Run out' } } });
  await page.reload();
  const items = plansOf(page).getByRole('article');
  await expect(items).toHaveCount(4);
  for (const [name, word, buttons] of [
    ['Endless', 'Active', 1],
    ['EXPIRED', 'Expired', 0],
    ['REVOKED', 'Revoked', 0],
    ['Run out', 'Expired', 0],
  ] as const) {
    const item = items.filter({ has: page.getByRole('heading', { name, exact: true }) });
    await expect(item.getByText(word, { exact: true })).toBeVisible();
    await expect(item.getByRole('button', { name: 'Revoke' })).toHaveCount(buttons);
  }
  await expect(
    items.filter({ hasText: 'Endless' }).getByText('Never', { exact: true }),
  ).toBeVisible();
});

// Proves 5.29, 7.16, 7.17
test('revoking asks in the words of the specification, revokes once, reads the list again', async ({
  page,
  app,
}) => {
  await withoutEvents(page);
  const user = await app.rows.user();
  const { id } = await app.rows.assignment(user);
  await app.open(`/users/${user.id}`);
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
  expect(app.callsTo(assignmentRevoke)).toEqual([]);

  await opener.click();
  const held = await app.hold(assignmentRevoke);
  await dialog.getByRole('button', { name: 'Confirm' }).dblclick();
  held.release();
  await expect(plansOf(page).getByText('Revoked', { exact: true })).toBeVisible();
  await expect(opener).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Messages' })).toHaveText(
    'Plan assignment revoked',
  );
  expect(app.callsTo(assignmentRevoke)).toEqual([
    expect.objectContaining({
      method: 'POST',
      url: `/api/admin/users/${user.id}/plan-assignments/${id}/revoke`,
      body: null,
    }),
  ]);
  expect(app.callsTo(assignmentList)).toHaveLength(2);
});

// Proves 8.36
test('revoking an assignment that was removed meanwhile says so in the dialog, and the list loses it', async ({
  page,
  app,
}) => {
  const user = await app.rows.user();
  const { id } = await app.rows.assignment(user);
  await app.open(`/users/${user.id}`);
  await plansOf(page).getByRole('button', { name: 'Revoke' }).click();
  await app.rows.removeAssignment(id);
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Assignment not found');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(plansOf(page).getByText('No plans assigned')).toBeVisible();
});

// Proves 1.2, 2.53, 2.54, 7.18
test('upgrades are prohibited and enabled again, with a red warning in between', async ({
  page,
  app,
}) => {
  const user = await app.rows.user();
  await app.open(`/users/${user.id}`);
  const card = plansOf(page);
  await expect(page.getByText(WARNING)).toHaveCount(0);
  const held = await app.hold(userRestrict);
  await card.getByRole('button', { name: 'Prohibit Upgrades' }).dblclick();
  await expect(card.getByRole('button', { name: 'Prohibiting...' })).toHaveAttribute(
    'aria-busy',
    'true',
  );
  held.release();
  await expect(page.getByText('Upgrades prohibited')).toBeVisible();
  const warning = card.getByText(WARNING);
  await expect(warning).toBeVisible();
  const colour = await warning.evaluate((element) => getComputedStyle(element).color);
  const [red = 0, green = 0, blue = 0] = colour.match(/\d+/g)?.map(Number) ?? [];
  expect(red).toBeGreaterThan(2 * Math.max(green, blue));

  await card.getByRole('button', { name: 'Enable Upgrades' }).click();
  await expect(page.getByText('Upgrades enabled')).toBeVisible();
  await expect(card.getByRole('button', { name: 'Prohibit Upgrades' })).toBeVisible();
  await expect(page.getByText(WARNING)).toHaveCount(0);
  expect(app.callsTo(userRestrict).map(({ method, url, body }) => [method, url, body])).toEqual(
    [true, false].map((upgradeProhibited) => [
      'PATCH',
      `/api/admin/users/${user.id}/restrictions`,
      { upgradeProhibited },
    ]),
  );
});

test('an assignment that another administrator revoked cannot be revoked again', async ({
  page,
  app,
}) => {
  const user = await app.rows.user();
  const { id } = await app.rows.assignment(user);
  await app.open(`/users/${user.id}`);
  await plansOf(page).getByRole('button', { name: 'Revoke' }).click();
  await app.meridian.call(assignmentRevoke, { params: { id: user.id, assignmentId: id } });
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(plansOf(page).getByText('Revoked', { exact: true })).toBeVisible();
});
