import type { Page } from '@playwright/test';
import { ADMIN } from './meridian.ts';

export const loginHeading = (page: Page) =>
  page.getByRole('heading', { level: 1, name: 'Admin Panel Login' });
export const usernameField = (page: Page) => page.getByRole('textbox', { name: 'Username' });
export const passwordField = (page: Page) => page.getByRole('textbox', { name: 'Password' });
export const loginButton = (page: Page) => page.getByRole('button', { name: /^Log/ });

export async function fillLogin(
  page: Page,
  username: string = ADMIN.username,
  password: string = ADMIN.password,
): Promise<void> {
  await usernameField(page).fill(username);
  await passwordField(page).fill(password);
}

export async function logIn(page: Page, username?: string, password?: string): Promise<void> {
  await fillLogin(page, username, password);
  await loginButton(page).click();
}

export async function logOut(page: Page, username: string = ADMIN.username): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`@${username}$`) }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
}
