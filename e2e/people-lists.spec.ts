import { mePostCancel, mePostCreate, mePostList } from '@meridian/contract/me/posts';
import type { Page } from '@playwright/test';
import {
  chooseLastDay,
  handleOf,
  issueTicket,
  people,
  redeem,
  signInPerson,
  test,
} from './support/people-page.ts';
import { expect } from './support/test.ts';

const MINUTE_MS = 60_000;
const COUNT = 102;
/** Of one page of past posts. */
const PAGE = 20;

const nameOf = (n: number) => `Post number ${n}.`;

/** A day and so many minutes from now. Returns its id. */
async function schedule(page: Page, url: string, n: number): Promise<string> {
  const scheduledAt = new Date(Date.now() + (24 * 60 + n) * MINUTE_MS).toISOString();
  const data = { content: nameOf(n), scheduledAt };
  const response = await page.request.post(`${url}${mePostCreate.path}`, { data });
  return mePostCreate.answer.parse(await response.json()).post.id;
}

async function cancel(page: Page, url: string, id: string): Promise<void> {
  const response = await page.request.post(`${url}${mePostCancel.path.replace('{id}', id)}`);
  expect(response.status()).toBe(200);
}

test('lists the soonest of many waiting posts, and all of the past ones', async ({
  page,
  service,
}) => {
  test.slow();
  await signInPerson(page, service.url, handleOf('many'));
  await redeem(page, await issueTicket(service));
  const ids: string[] = [];
  for (let n = 1; n <= COUNT; n += 1) ids.push(await schedule(page, service.url, n));
  await page.reload();
  const rows = people.post(page, 'Post number');
  const post = (n: number) => people.post(page, nameOf(n));

  await test.step('the 100 that go out soonest, and how many there are', async () => {
    await expect(rows).toHaveCount(100);
    await expect(rows.first()).toContainText(nameOf(1));
    await expect(post(100)).toBeVisible();
    await expect(post(101)).toHaveCount(0);
    await expect(people.posts(page)).toContainText('The next 100 of 102 waiting posts.');
  });

  await test.step('every past post, page by page', async () => {
    for (const id of ids) await cancel(page, service.url, id);
    await page.getByRole('button', { name: 'Cancelled' }).click();
    await expect(rows).toHaveCount(PAGE);
    await expect(rows.first()).toContainText(nameOf(COUNT));
    for (let shown = PAGE; shown < COUNT; shown += PAGE) {
      await page.getByRole('button', { name: 'Show older posts' }).click();
      await expect(rows).toHaveCount(Math.min(shown + PAGE, COUNT));
    }
    await expect(page.getByRole('button', { name: 'Show older posts' })).toHaveCount(0);
    await expect(post(1)).toBeVisible();
  });

  await test.step('a later one pushes none of those shown away', async () => {
    await cancel(page, service.url, await schedule(page, service.url, COUNT + 1));
    // The page reads again by itself.
    await expect(rows).toHaveCount(COUNT + 1, { timeout: 60_000 });
    await expect(rows.first()).toContainText(nameOf(COUNT + 1));
    await expect(post(COUNT - PAGE + 1)).toHaveCount(1);
  });
});

test('a post is listed before the list is read again', async ({ page, service }) => {
  await signInPerson(page, service.url, handleOf('listed'));
  await expect(people.posts(page).getByText('Nothing is scheduled.')).toBeVisible();
  await page.route(`**${mePostList.path}?*`, (route) => route.abort());
  await people.text(page).fill('On a slow connection');
  await people.schedule(page).click();
  await expect(people.post(page, 'On a slow connection')).toBeVisible();
});

test('a status without posts is read out', async ({ page, service }) => {
  await signInPerson(page, service.url, handleOf('none'));
  // Read out by what was there before, and is the same one afterwards.
  const said = await people.posts(page).locator('[aria-live]').last().elementHandle();
  for (const [status, sentence] of [
    ['Failed', 'No post has failed.'],
    ['Upcoming', 'Nothing is scheduled. Write your first post above.'],
  ] as const) {
    await page.getByRole('button', { name: status, exact: true }).press('Enter');
    await expect.poll(() => said?.textContent()).toBe(sentence);
  }
});

test('a cancellation and a deletion whose response is lost are done nevertheless', async ({
  page,
  service,
}) => {
  await signInPerson(page, service.url, handleOf('lost'));
  await people.text(page).fill('Not for long');
  await chooseLastDay(page);
  await people.schedule(page).click();
  const post = people.post(page, 'Not for long');
  const dialog = page.getByRole('alertdialog');
  // The server does it; the browser never learns.
  await page.route('**/api/me/posts/**', async (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    await route.fetch();
    return route.abort();
  });
  await post.getByRole('button', { name: 'Cancel' }).press('Enter');
  await dialog.getByRole('button', { name: 'Cancel post' }).press('Enter');
  await expect(page.getByText('Post cancelled')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await post.getByRole('button', { name: 'Delete' }).press('Enter');
  await dialog.getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(page.getByText('Post deleted')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(post).toHaveCount(0);
});
