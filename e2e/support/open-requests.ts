import { eventStream } from '@meridian/contract';
import type { Page, Request } from '@playwright/test';
import { isCallTo } from './calls.ts';
import { expect } from './test.ts';

const open = new WeakMap<Page, Set<Request>>();

/** Before the page is opened: `untilAnswered` knows what it has asked for since. */
export function watchRequests(page: Page): void {
  const requests = new Set<Request>();
  open.set(page, requests);
  page.on('request', (request) => {
    // It stays open for as long as the page is.
    if (!isCallTo(eventStream)(request)) requests.add(request);
  });
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
}

/** Until everything that the page has asked for is there, however long that takes. */
export async function untilAnswered(page: Page): Promise<void> {
  await expect.poll(() => open.get(page)?.size).toBe(0);
}

/**
 * For `networkidle`, which a page with an open stream of events never reaches. A stream that is refused
 * for its session is not tried again; one that is cut would be, at a moment that no test knows.
 */
export async function withoutEvents(page: Page): Promise<void> {
  await page.route(`**${eventStream.path}`, (route) => route.fulfill({ status: 401 }));
}
