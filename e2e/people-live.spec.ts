import { meEvents } from '@meridian/contract/events';
import { mePostCreate } from '@meridian/contract/me/posts';
import { settingsUpdate } from '@meridian/contract/settings';
import { userList, userUpdate } from '@meridian/contract/users';
import type { Page } from '@playwright/test';
import type { Meridian } from './support/meridian.ts';
import {
  handleOf,
  issueTicket,
  people,
  redeem,
  signInPerson,
  test,
} from './support/people-page.ts';
import { stopClock } from './support/stopped-clock.ts';
import { expect } from './support/test.ts';

/** What the page shows from here on is not read by the clock, which stands still. */
async function openStopped(page: Page, service: Meridian, handle: string): Promise<void> {
  await page.clock.install();
  const streaming = page.waitForResponse((response) => response.url().endsWith(meEvents.path));
  await signInPerson(page, service.url, handle);
  expect((await streaming).status()).toBe(200);
  await expect(people.posts(page).getByText('Nothing is scheduled.')).toBeVisible();
}

/** React waits a moment before it replaces what stands in for a part that is being loaded. */
async function expectSignedOut(page: Page): Promise<void> {
  await page.clock.resume();
  await expect(page.getByText(/^Your session has ended/)).toBeVisible();
  await expect(people.handle(page)).toBeVisible();
}

/** As an administrator does it in another window. Returns when the response was there. */
async function block(service: Meridian, handle: string): Promise<number> {
  const { users } = await service.call(userList, { query: { search: handle } });
  const [user] = users;
  if (user === undefined) throw new Error('The person is not among the users');
  await service.call(userUpdate, { params: { id: user.id }, body: { status: 'BLOCKED' } });
  return performance.now();
}

test('a person who is blocked is out of an idle page, and loses nothing', async ({
  page,
  service,
}) => {
  const handle = handleOf('blocked');
  await openStopped(page, service, handle);
  await people.text(page).fill('Half a thought');
  await stopClock(page);
  const blockedAt = await block(service, handle);
  await expect(people.text(page)).toBeHidden();
  const ms = Math.round(performance.now() - blockedAt);
  test.info().annotations.push({ type: 'out', description: `${ms} ms after the response` });
  await expectSignedOut(page);
  const drafts = await page.evaluate(() => JSON.stringify(localStorage));
  expect(drafts).toContain('Half a thought');
});

test('what happens elsewhere shows at once', async ({ page, service }) => {
  test.slow();
  await openStopped(page, service, handleOf('told'));
  await redeem(page, await issueTicket(service));
  await stopClock(page);

  await test.step('the pause of the service, and its end', async () => {
    await service.call(settingsUpdate, { body: { is_service_suspended: true } });
    // Loaded on demand: React waits a moment, far less than the page between two reads.
    const isPaused = async () => {
      await page.clock.runFor(100);
      return people.paused(page).isVisible();
    };
    await expect.poll(isPaused).toBe(true);
    await service.call(settingsUpdate, { body: { is_service_suspended: false } });
    await expect(people.text(page)).toBeVisible();
  });

  await test.step('a post that another device schedules, and that goes out', async () => {
    const data = { content: 'Out by itself', scheduledAt: new Date(Date.now() + 8_000) };
    const created = await page.request.post(`${service.url}${mePostCreate.path}`, { data });
    expect(created.status()).toBe(201);
    const post = people.post(page, 'Out by itself');
    await expect(post).toBeVisible();
    await expect(post.getByText('Published', { exact: true })).toBeVisible({ timeout: 120_000 });
    await expect(post.getByRole('link', { name: 'View on Bluesky' })).toBeVisible();
  });
});

test('without a stream the page reads by the clock', async ({ page, service }) => {
  await page.route(`**${meEvents.path}`, (route) => route.abort());
  const handle = handleOf('polled');
  await page.clock.install();
  await signInPerson(page, service.url, handle);
  await stopClock(page);
  await block(service, handle);
  await page.clock.runFor(20_000);
  await expect(people.text(page)).toBeHidden();
  await expectSignedOut(page);
});

test('paused, nothing changes by itself until the updates are resumed', async ({
  page,
  service,
}) => {
  await openStopped(page, service, handleOf('paused'));
  await page.getByRole('button', { name: 'Pause updates' }).press('Enter');
  const reads: string[] = [];
  page.on('request', (request) => reads.push(request.url()));
  const data = { content: 'From another device', scheduledAt: new Date(Date.now() + 7_200_000) };
  // Another tab tells when it could have been seen here.
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect(people.posts(other).getByText('Nothing is scheduled.')).toBeVisible();
  const created = await other.request.post(`${service.url}${mePostCreate.path}`, { data });
  expect(created.status()).toBe(201);
  await expect(people.post(other, data.content)).toBeVisible();
  await page.bringToFront();
  await page.clock.runFor(120_000);
  expect(reads).toEqual([]);
  await page.getByRole('button', { name: 'Resume updates' }).press('Enter');
  await expect(people.post(page, data.content)).toBeVisible();
});
