import { authLogout } from '@meridian/contract';
import type { Page, Request } from '@playwright/test';
import { expect } from './test.ts';

const isChange = (request: Request) => request.method() !== 'GET';

/**
 * Ends the session on the server at the moment at which the page makes such a call, a change unless
 * told otherwise. Ended any earlier, one of the page's own reads could notice it before the click.
 */
export async function endSessionAtCall(
  page: Page,
  { url, token }: { url: string; token: string },
  isMeant: (request: Request) => boolean = isChange,
): Promise<void> {
  let hasEnded = false;
  await page.route('**/api/admin/**', async (route) => {
    if (!hasEnded && isMeant(route.request())) {
      hasEnded = true;
      const headers = { authorization: `Bearer ${token}` };
      const { status } = await fetch(url + authLogout.path, { method: authLogout.method, headers });
      expect(status).toBe(200);
    }
    await route.fallback();
  });
}
