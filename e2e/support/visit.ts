import { authMe } from '@meridian/contract';
import type { Me } from '@meridian/contract';
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

export { storedToken } from './token.ts';
