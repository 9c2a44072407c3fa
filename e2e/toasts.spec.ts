import type { Locator, Page } from '@playwright/test';
import { chooseLastDay, handleOf, people, signInPerson, test } from './support/people-page.ts';
import { expect } from './support/test.ts';
import { managementOf } from './support/user-page.ts';

const PHONE = { width: 360, height: 640 };

const bottomOf = async (target: Locator) => {
  const { y, height } = (await target.boundingBox()) ?? { y: NaN, height: NaN };
  return y + height;
};

/** The message, held by the pointer, and where the first of all begins. */
async function holdToast(page: Page, words: string): Promise<{ toast: Locator; top: number }> {
  const toast = page.getByText(words, { exact: true });
  await toast.hover();
  const box = await page.locator('[id^=toast-]').first().boundingBox();
  return { toast, top: box?.y ?? NaN };
}

const scrollToEnd = (page: Page) =>
  page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight }));

test('a message on a phone leaves the end of /me in reach', async ({ page, service }) => {
  const handle = handleOf('toast');
  await page.setViewportSize(PHONE);
  await signInPerson(page, service.url, handle);
  await people.text(page).fill('To be cancelled');
  await chooseLastDay(page);
  await people.schedule(page).click();
  await people.post(page, 'To be cancelled').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Cancel post' }).click();
  const { toast, top } = await holdToast(page, 'Post cancelled');

  const last = page.getByRole('button', { name: 'Redeem' });
  await scrollToEnd(page);
  expect(await bottomOf(last)).toBeLessThanOrEqual(top);
  await page.evaluate(() => scrollTo({ top: 0 }));
  await last.focus();
  expect(await bottomOf(last)).toBeLessThanOrEqual(top);

  // A menu takes Escape for itself.
  await page.getByRole('button', { name: handle }).press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(toast).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(toast).toHaveCount(0);
});

test('a message on a phone leaves the end of the console in reach', async ({ page, app }) => {
  await page.setViewportSize(PHONE);
  const user = await app.rows.user();
  await app.open(`/users/${user.id}`);
  await managementOf(page).getByRole('button', { name: 'Blocked' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  const { toast, top } = await holdToast(page, 'Status changed to BLOCKED');
  const last = page.getByRole('button', { name: 'Show History' });
  await scrollToEnd(page);
  expect(await bottomOf(last)).toBeLessThanOrEqual(top);

  // A dialog takes Escape for itself.
  await managementOf(page).getByRole('button', { name: 'Restricted' }).press('Enter');
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(toast).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(toast).toHaveCount(0);
});
