import { TOKEN_STORAGE_KEY } from '@meridian/contract';
import type { Page } from '@playwright/test';

/** As if this browser had signed in before, and perhaps been told whether the server is Meridian. */
export async function rememberToken(
  page: Page,
  token: string,
  isMeridian?: boolean,
): Promise<void> {
  await page.addInitScript(
    ([key, value, told]) => {
      // Once only: a page that signs out must stay signed out after a reload.
      if (sessionStorage.getItem('token-given')) return;
      sessionStorage.setItem('token-given', 'yes');
      localStorage.setItem(key, value);
      // What is left out arrives here as null.
      if (typeof told === 'boolean') localStorage.setItem('server_is_meridian', String(told));
    },
    [TOKEN_STORAGE_KEY, token, isMeridian] as const,
  );
}

/** The credential as the specification wants it stored; null when there is none. */
export function storedToken(page: Page): Promise<string | null> {
  return page.evaluate((key) => localStorage.getItem(key), TOKEN_STORAGE_KEY);
}
