import { authMe } from '@meridian/contract';
import type { Me } from '@meridian/contract';
import { TOKEN_STORAGE_KEY } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { ME } from './samples.ts';
import type { StandIn } from './stand-in.ts';
import { rememberToken } from './test.ts';

/** Opens the console before another vendor's server, signed in. */
export async function visit(
  page: Page,
  standIn: StandIn,
  path: string,
  me: Partial<Me> = ME,
): Promise<void> {
  standIn.on(authMe, { body: me });
  await rememberToken(page, 'a-token');
  await page.goto(`${standIn.url}${path}`);
}

/** The credential as the specification wants it stored; null when there is none. */
export function storedToken(page: Page): Promise<string | null> {
  return page.evaluate((key) => localStorage.getItem(key), TOKEN_STORAGE_KEY);
}
