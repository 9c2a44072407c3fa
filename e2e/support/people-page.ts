import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { meEvents } from '@meridian/contract/events';
import { planList } from '@meridian/contract/plans';
import { ticketIssue } from '@meridian/contract/tickets';
import type { Page } from '@playwright/test';
import type { Meridian } from './meridian.ts';
import { expect, test as base } from './test.ts';

/** A server with demonstration data, on the local network. */
export const test = base.extend<{ service: Meridian }>({
  service: [
    async ({ templates, context }, provide) => {
      const { meridian, stop } = await templates.start({});
      await provide(meridian);
      await context.close();
      await stop();
    },
    { timeout: 300_000 },
  ],
});

const PICTURE_FILES = ['cat-1.webp', 'coast-1.webp'].map((name) =>
  join(import.meta.dirname, '../../demo/pictures', name),
);

const text = (page: Page) => page.getByRole('textbox', { name: 'Text of the post' });
const posts = (page: Page) => page.getByRole('region', { name: 'Your posts' });

/** The page `/me` in the words of the person who uses it. */
export const people = {
  text,
  posts,
  composer: (page: Page) => page.getByRole('region', { name: 'New post' }),
  schedule: (page: Page) => page.getByRole('button', { name: 'Schedule', exact: true }),
  post: (page: Page, words: string) => posts(page).getByRole('listitem').filter({ hasText: words }),
  paused: (page: Page) => page.getByRole('heading', { name: 'The service is paused' }),
  handle: (page: Page) => page.getByRole('textbox', { name: 'Bluesky handle' }),
};

/** A handle of this test's own: the server is shared. */
export const handleOf = (name: string) => `${name}-${randomUUID().slice(0, 8)}.local.example`;

/** Two pictures, uploaded: before that the post cannot be scheduled. */
export async function addPictures(page: Page): Promise<void> {
  const composer = people.composer(page);
  await composer.locator('input[type=file]').setInputFiles(PICTURE_FILES);
  await expect(composer.getByRole('button', { name: /^Remove picture/ })).toHaveCount(
    PICTURE_FILES.length,
  );
}

/** Until the next post can be written: the event stream may tell of this one before the response. */
export async function schedule(page: Page): Promise<void> {
  await people.schedule(page).click();
  await expect(text(page)).toHaveValue('');
}

/** All the way: the handle, the question of the account's host, and back. */
export async function signInPerson(page: Page, url: string, handle: string): Promise<void> {
  await page.goto(`${url}/me`);
  await people.handle(page).fill(handle);
  await page.getByRole('button', { name: 'Sign in with Bluesky' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(text(page)).toBeVisible();
}

/** The code of a new ticket: unless named, for a plan on the minute, with pictures and threads. */
export async function issueTicket(service: Meridian, planName = 'studio'): Promise<string> {
  const { plans } = await service.call(planList);
  const plan = plans.find(({ name }) => name === planName);
  if (plan === undefined) throw new Error(`There is no plan ${planName}`);
  const { ticket } = await service.call(ticketIssue, { body: { planId: plan.id } });
  return ticket.code;
}

export async function redeem(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Redeem a code' }).fill(code);
  await page.getByRole('button', { name: 'Redeem' }).click();
  await expect(page.getByText(/^Redeemed: /)).toBeVisible();
}

/** The page was left meanwhile, and with it the request; or the test is over. */
function unlessLeft(error: Error): undefined {
  if (!/disposed|Test ended/u.test(error.message)) throw error;
}

/** Both clocks show this time: the browser's, and the server's in its responses. */
export async function setTime(page: Page, time: number): Promise<void> {
  await page.clock.setFixedTime(time);
  const date = new Date(time).toUTCString();
  await page.route('**/api/me**', async (route) => {
    // It never ends, and so has no response to change.
    if (route.request().url().endsWith(meEvents.path)) return route.abort();
    const response = await route.fetch().catch(unlessLeft);
    if (response === undefined) return undefined;
    const headers = { ...response.headers(), date };
    await route.fulfill({ response, headers }).catch(unlessLeft);
    return undefined;
  });
}

/** So that it does not go out during the test. */
export async function chooseLastDay(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Choose a time' }).click();
  const day = page.getByLabel('Day');
  await day.fill((await day.getAttribute('max')) ?? '');
}
