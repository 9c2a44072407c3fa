import type { Page } from '@playwright/test';
import type { App } from './support/app.ts';
import { endSessionAtCall } from './support/end-session.ts';
import { logIn } from './support/login-page.ts';
import { withoutEvents } from './support/open-requests.ts';
import { expect, test } from './support/test.ts';

const suspend = (page: Page) => page.getByRole('switch', { name: 'Service suspension' });
const question = (page: Page) => page.getByRole('alertdialog');
const reason = (page: Page) => question(page).getByLabel('Reason (optional)');
const end = (page: Page) => question(page).getByLabel('Expected end (optional)');
const notice = (page: Page) => question(page).getByLabel('Notice for users (optional)');
const press = (page: Page, name: string) => question(page).getByRole('button', { name }).click();

async function typeUntilSessionEnds(page: Page, app: App): Promise<void> {
  await withoutEvents(page);
  const token = await app.signInAs('ana', 'Ana Okafor');
  await app.open('/settings');
  await suspend(page).click();
  await reason(page).fill('The database is full');
  await end(page).fill('2030-01-01T10:00');
  await notice(page).fill('We are back at ten');
  await endSessionAtCall(page, { url: app.url, token });
  await press(page, 'Confirm');
  await expect(page.getByText('Your session has ended. Please log in again.')).toBeVisible();
  await logIn(page, 'ana');
}

test('what was typed into a question survives the end of the session, once', async ({
  page,
  visitor: app,
}) => {
  await typeUntilSessionEnds(page, app);
  // Another question does not have them.
  await page.getByRole('switch', { name: 'Closed beta' }).click();
  await expect(reason(page)).toHaveValue('');
  await press(page, 'Cancel');
  await suspend(page).click();
  await expect(reason(page)).toHaveValue('The database is full');
  await expect(end(page)).toHaveValue('2030-01-01T10:00');
  await expect(notice(page)).toHaveValue('We are back at ten');
  await press(page, 'Cancel');
  await suspend(page).click();
  await expect(reason(page)).toHaveValue('');
  await expect(notice(page)).toHaveValue('');
});

test('as restored, it is sent, by Enter in its field too', async ({ page, visitor: app }) => {
  await typeUntilSessionEnds(page, app);
  await suspend(page).click();
  await reason(page).press('Enter');
  await expect(page.getByText('Service suspension is now on')).toBeVisible();
  const service = page.getByRole('region', { name: 'Service', exact: true });
  await expect(service).toContainText('The database is full');
  await expect(service).toContainText('We are back at ten');
});
