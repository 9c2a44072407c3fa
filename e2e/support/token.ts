import { TOKEN_STORAGE_KEY } from '@meridian/contract';
import type { Page } from '@playwright/test';

/** As if this browser had signed in before, and perhaps been told what the server announces. */
export async function rememberToken(
  page: Page,
  token: string,
  features?: readonly string[],
): Promise<void> {
  await page.addInitScript(
    ([key, value, announced]) => {
      // Once only: a page that signs out must stay signed out after a reload.
      if (sessionStorage.getItem('token-given')) return;
      sessionStorage.setItem('token-given', 'yes');
      localStorage.setItem(key, value);
      if (announced) localStorage.setItem('server_features', announced.join(' '));
    },
    [TOKEN_STORAGE_KEY, token, features] as const,
  );
}

/** The credential as the specification wants it stored; null when there is none. */
export function storedToken(page: Page): Promise<string | null> {
  return page.evaluate((key) => localStorage.getItem(key), TOKEN_STORAGE_KEY);
}
