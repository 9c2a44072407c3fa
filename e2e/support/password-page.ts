import type { Locator, Page } from '@playwright/test';

export const PASSWORD_FIELDS = {
  current: (page: Page): Locator => page.getByRole('textbox', { name: 'Current password' }),
  wanted: (page: Page): Locator => page.getByRole('textbox', { name: 'New password', exact: true }),
  confirmed: (page: Page): Locator => page.getByRole('textbox', { name: 'Confirm new password' }),
};

export const submitPassword = (page: Page): Locator =>
  page.getByRole('main').getByRole('button', { name: /^Chang/ });

export async function fillPasswords(
  page: Page,
  old: string,
  next: string,
  again = next,
): Promise<void> {
  await PASSWORD_FIELDS.current(page).fill(old);
  await PASSWORD_FIELDS.wanted(page).fill(next);
  await PASSWORD_FIELDS.confirmed(page).fill(again);
}
