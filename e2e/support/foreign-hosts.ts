import type { Page } from '@playwright/test';

export type ForeignRequest = { url: string; referer: string | undefined };

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/**
 * Every request that leaves for another host than the console's own, answered with a picture.
 * Those whose path ends in `/gone` are answered with a 404.
 */
export async function watchForeignHosts(page: Page, ownUrl: string): Promise<ForeignRequest[]> {
  const requests: ForeignRequest[] = [];
  await page.route(
    (url) => url.origin !== new URL(ownUrl).origin,
    async (route) => {
      const request = route.request();
      requests.push({ url: request.url(), referer: (await request.allHeaders())['referer'] });
      if (new URL(request.url()).pathname.endsWith('/gone')) await route.fulfill({ status: 404 });
      else await route.fulfill({ contentType: 'image/png', body: PIXEL });
    },
  );
  return requests;
}
