import type { Page } from '@playwright/test';
import { endSessionAtCall } from './support/end-session.ts';
import { logIn, loginHeading } from './support/login-page.ts';
import { withoutEvents } from './support/open-requests.ts';
import { field, submitPlan } from './support/plan-form.ts';
import { expect, test } from './support/test.ts';

const TYPED = 'A long text that takes long to type again';

/** Another build was installed: what of this one is not loaded yet is gone. */
async function replaceBuild(page: Page): Promise<void> {
  await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404 }));
}

test('what is typed into a form stays when the code of its history is gone', async ({
  page,
  app,
  catalogue,
}) => {
  const plan = await catalogue.plan();
  await app.open(`/plans/${plan.id}/edit`);
  await field(page, 'Description').fill(TYPED);
  await replaceBuild(page);
  await page.getByRole('button', { name: 'Show History' }).click();
  await expect(page.getByRole('alert')).toContainText('This part could not be loaded.');
  await expect(field(page, 'Description')).toHaveValue(TYPED);
  await submitPlan(page).click();
  await expect(page.getByText(`Plan updated successfully: ${plan.name}`)).toBeVisible();
});

test('so it does when the session ends, as the login is there already', async ({
  page,
  visitor: app,
  catalogue,
}) => {
  await catalogue.plan();
  await withoutEvents(page);
  const token = await app.signInAs('ana', 'Ana Okafor');
  await app.open('/plans/create');
  await field(page, 'Description').fill(TYPED);
  await page.waitForLoadState('networkidle');
  await replaceBuild(page);
  await field(page, 'Name').fill('studio-two');
  await field(page, 'Display name').fill('Studio Two');
  await field(page, 'Tier').selectOption('FREE');
  await endSessionAtCall(page, { url: app.url, token });
  await submitPlan(page).click();
  await expect(loginHeading(page)).toBeVisible();
  await logIn(page, 'ana');
  await expect(field(page, 'Description')).toHaveValue(TYPED);
});

test('a list and its further filters stay when the code of its actions is gone', async ({
  page,
  app,
}) => {
  await app.rows.posts(2, { content: 'Still here' });
  await app.open('/posts');
  const rows = page.getByRole('table', { name: 'Scheduled posts' }).getByText('Still here');
  await expect(rows).toHaveCount(2);
  await replaceBuild(page);
  await page.getByRole('button', { name: 'More filters' }).press('Enter');
  await expect(page.getByRole('combobox', { name: 'On hold' })).toBeVisible();
  await page
    .getByRole('checkbox', { name: /^Select / })
    .nth(1)
    .check();
  await expect(page.getByText('The actions could not be loaded.')).toBeVisible();
  await expect(rows).toHaveCount(2);
});

test('without the code of the palette a key says so, and the page stays', async ({
  page,
  app,
  catalogue,
}) => {
  const plan = await catalogue.plan();
  await page.route('**/assets/CommandPalette-*.js', (route) => route.fulfill({ status: 404 }));
  await app.open(`/plans/${plan.id}/edit`);
  await field(page, 'Description').fill(TYPED);
  await page.keyboard.press('Control+k');
  await expect(page.getByText('The search could not be loaded.')).toBeVisible();
  await expect(field(page, 'Description')).toHaveValue(TYPED);
  // Nor does it stay open out of sight, over which nothing else would open.
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
});
