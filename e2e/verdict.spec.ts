import type { Page } from '@playwright/test';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { expect, test } from './support/test.ts';
import { managementOf, valueOf } from './support/user-page.ts';

const scheduleCheckOf = (page: Page) => page.getByRole('region', { name: 'What this user can do' });
const reasonsOf = (page: Page, question: string) =>
  scheduleCheckOf(page)
    .getByRole('list', { name: `${question}: why not` })
    .getByRole('listitem');

test('a user page says what the user can do, why not, and where to change it', async ({
  page,
  app,
}) => {
  await app.rows.engine.suspend('2026-11-14T09:30:00.000Z');
  const user = await app.rows.user({ status: 'BLOCKED' });
  const limits = { monthly_posts_limit: 10, pending_posts_limit: 1 };
  await app.rows.assignment(user, {
    plan: { limits },
    code: 'ABCD-EFGH-JKLM-NPQR',
    limitsOverride: { monthly_posts_limit: 50 },
  });
  await app.rows.post({ user, scheduled_at: new Date().toISOString() });
  await app.open(`/users/${user.id}`);
  await expect(scheduleCheckOf(page)).toContainText('Can schedule: no, because');
  await expect(reasonsOf(page, 'Can schedule')).toHaveText([
    'the service is suspended · Service Settings',
    'the user is blocked · User Management',
    'the plan allows no more pending posts · Pending posts',
  ]);
  await expect(reasonsOf(page, 'Would go out now')).toHaveText([
    'the service is suspended · Service Settings',
    'the user is blocked · User Management',
  ]);
  await scheduleCheckOf(page).getByText('Limits in force').click();
  await expect(valueOf(page, 'Monthly posts').first()).toHaveText('50Override, plan 10, used 1');
  await expectAccessibleInTwoLooks(page);

  await reasonsOf(page, 'Can schedule').nth(1).getByRole('link').click();
  await expect(page).toHaveURL(`${app.url}/users/${user.id}#management`);
  await managementOf(page).getByRole('button', { name: 'Active', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
  await expect(reasonsOf(page, 'Would go out now')).toHaveText([
    'the service is suspended · Service Settings',
  ]);
});
