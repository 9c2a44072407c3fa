import type { Page } from '@playwright/test';

/** Bytes of JavaScript that this page loads from now on, as they cross the wire. */
export function watchScriptBytes(page: Page): { total: () => Promise<number> } {
  const pending: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (!new URL(request.url()).pathname.endsWith('.js')) return;
    pending.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  return {
    total: async () => (await Promise.all(pending)).reduce((sum, bytes) => sum + bytes, 0),
  };
}
