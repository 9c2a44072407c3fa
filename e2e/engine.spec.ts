import { engineGet, postCancel } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { expect, test } from './support/test.ts';
import { withoutEvents } from './support/open-requests.ts';

const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const cardOf = (page: Page, name: string) => page.getByRole('article').filter({ hasText: name });
const stripOf = (page: Page) => page.getByRole('complementary', { name: 'Service state' });
const tableOf = (page: Page, name: string) => page.getByRole('table', { name });

test('opens without moving anything, and shows what runs, waits and is held', async ({
  page,
  app,
}) => {
  const { engine } = app.rows;
  await engine.clear();
  await engine.worker({
    id: 'alpha',
    seenSeconds: 3600,
    claimed: 12_400,
    published: 12_345,
    lastMinute: { published: 600, latenessMs: { p50: 4.2, p99: 38, max: 120 } },
  });
  await engine.worker({ id: 'omega', seenSeconds: -90 });
  await engine.host({ host: 'fine.example' });
  await engine.host({ host: 'dead.example', state: 'DOWN', cause: 'network_unreachable' });
  const user = await app.rows.user();
  await app.rows.post({ user, scheduled_at: minutesFromNow(-3) });
  // Read once: the next minute may begin before the second post is stored.
  const soon = minutesFromNow(20);
  for (const scheduled_at of [soon, soon, minutesFromNow(40)]) {
    await app.rows.post({ user, scheduled_at });
  }
  await engine.hold(await app.rows.post({ user }), 'user_off');

  const held = await app.hold(engineGet);
  await watchLayoutShift(page);
  await app.open('/engine');
  await expect(page.getByText('Loading...')).toBeVisible();
  held.release();
  await expect(cardOf(page, 'State')).toContainText('Running');
  await expect(cardOf(page, 'State')).toContainText('To the local network');
  await expectNoLayoutShift(page);
  await expect(cardOf(page, 'Published')).toContainText('600');
  await expect(cardOf(page, 'Published')).toContainText('10 per second');
  await expect(cardOf(page, 'Lateness')).toContainText('4 ms');
  await expect(cardOf(page, 'Lateness')).toContainText('p99 38 ms');
  await expect(cardOf(page, 'Waiting')).toContainText('1');

  const hour = page.getByRole('region', { name: 'Due in the next hour' });
  await expect(hour).toContainText(/3 posts, most at \d\d:\d\d \(2\)/);
  await expect(
    hour.getByRole('table', { name: 'Posts due by minute' }).getByRole('row'),
  ).toHaveCount(3);
  await expect(tableOf(page, 'Held posts').getByRole('row').nth(1)).toContainText(
    'Waits until the user is active again',
  );
  const workers = tableOf(page, 'Workers').getByRole('row');
  await expect(workers.nth(1)).toContainText('Running');
  await expect(workers.nth(1)).toContainText('12,345');
  await expect(workers.nth(2)).toContainText('Not seen');
  const hosts = tableOf(page, 'Hosts').getByRole('row');
  await expect(hosts.nth(1)).toContainText('Could not reach dead.example');
  await expect(hosts.nth(2)).toContainText('Open');

  await expect(page.getByRole('navigation', { name: 'Operations' }).getByRole('link')).toHaveText([
    'Engine',
    'Failures',
    'Audit Log',
    'Jobs',
  ]);
  await expectAccessibleInTwoLooks(page);

  // The count leads to the list behind it, the overdue first.
  await page.getByRole('link', { name: 'Waiting' }).click();
  await expect(page).toHaveURL(`${app.url}/posts?status=PENDING&order=asc`);
});

test('a hold leads to its posts', async ({ page, app }) => {
  await app.rows.engine.hold(await app.rows.post({}), 'user_off');
  await app.open('/engine');
  const link = page.getByRole('link', { name: 'Waits until the user is active again' });
  await expect(link).toHaveAttribute('href', '/posts?hold=user_off');
});

test('without any worker it says so, and what to do', async ({ page, app }) => {
  await app.rows.engine.clear();
  await app.open('/engine');
  await expect(cardOf(page, 'State')).toContainText('Off');
  await expect(cardOf(page, 'State')).toContainText('Nothing is published from here');
  await expect(stripOf(page)).toHaveCount(0);
  await expect(page.getByText('No worker has ever reported.')).toBeVisible();
  await expect(page.getByText('No post is held.')).toBeVisible();
  await expect(page.getByText('No host has been called yet.')).toBeVisible();
  await expectAccessibleInTwoLooks(page);
});

test('a failure to load stands in a red box, and Retry loads it', async ({ page, app }) => {
  // Else it may be read again before the button is pressed.
  await withoutEvents(page);
  await page.route('**/api/admin/engine', (route) => route.abort());
  await app.open('/engine');
  await expect(page.getByRole('alert')).toContainText('Failed to load the state of the engine');
  await page.unroute('**/api/admin/engine');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(cardOf(page, 'State')).toContainText('Running');
});

test.describe('the strip under the top edge', () => {
  test('says on every page that the service is suspended, and leads to the switch', async ({
    page,
    app,
  }) => {
    await app.rows.engine.suspend('2026-11-14T09:30:00.000Z');
    await app.rows.posts(3, { latest: minutesFromNow(-90) });
    await watchLayoutShift(page);
    await app.open('/password');
    for (const words of ['Service suspended', 'since 14 Nov 2026, 10:30', '3 posts waiting']) {
      await expect(stripOf(page).getByText(words, { exact: true })).toBeVisible();
    }
    const heading = await page.getByRole('heading', { level: 1 }).boundingBox();
    const strip = await stripOf(page).getByRole('paragraph').boundingBox();
    // With room between them.
    expect((strip?.y ?? 0) + (strip?.height ?? 0) + 8).toBeLessThanOrEqual(heading?.y ?? 0);
    await expectNoLayoutShift(page);
    await expectAccessibleInTwoLooks(page);
    await stripOf(page).getByRole('link').focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${app.url}/settings`);
    await expect(stripOf(page).getByText('Service suspended')).toBeVisible();
  });

  test('says that no engine is running, and is gone once one is', async ({ page, app }) => {
    await page.clock.install();
    await app.rows.engine.clear();
    await app.rows.engine.worker({ seenSeconds: -90 });
    await app.open('/users');
    await expect(stripOf(page)).toHaveText(/^No engine is running.*·0 posts waiting·Engine$/);
    await app.rows.engine.reset();
    await page.clock.runFor(11_000);
    await expect(stripOf(page)).toHaveCount(0);
  });

  test('is not on the login page', async ({ page, visitor }) => {
    await visitor.rows.engine.suspend('2026-11-14T09:30:00.000Z');
    await visitor.open('/login');
    await expect(page.getByRole('textbox', { name: 'Username' })).toBeVisible();
    await expect(stripOf(page)).toHaveCount(0);
    expect(visitor.callsTo(engineGet)).toEqual([]);
  });
});

test('resuming says how many wait and how many are too late, under the question', async ({
  page,
  app,
}) => {
  await app.rows.engine.suspend(minutesFromNow(-180));
  await app.rows.posts(3, { latest: minutesFromNow(-75) });
  await app.rows.posts(2, { latest: minutesFromNow(-10) });
  await app.open('/settings');
  await page.getByRole('switch', { name: 'Service suspension' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Resume Service' });
  await expect(dialog.getByRole('paragraph')).toHaveText([
    'All users can access the service again and scheduled posts are executed.',
    '5 posts are waiting. They go out oldest first, one per user and schedule interval.',
    '3 posts of them are more than 60 minutes late and will be marked as failed.',
    'Stored in the audit log',
  ]);
  await expectAccessibleInTwoLooks(page);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Service suspension is now off')).toBeVisible();
  await expect(stripOf(page)).toHaveCount(0);
});

test('resuming speaks of one waiting post as of one', async ({ page, app }) => {
  await app.rows.engine.suspend(minutesFromNow(-180));
  const paragraphs = page.getByRole('alertdialog').getByRole('paragraph');
  const ask = async () => {
    await app.open('/settings');
    await page.getByRole('switch', { name: 'Service suspension' }).click();
  };
  const { id } = await app.rows.post({ scheduled_at: minutesFromNow(-10) });
  await ask();
  await expect(paragraphs.nth(1)).toHaveText('1 post is waiting. It goes out at once.');
  await app.meridian.call(postCancel, { params: { id } });
  await app.rows.post({ scheduled_at: minutesFromNow(-75) });
  await ask();
  await expect(paragraphs.nth(1)).toHaveText('1 post is waiting.');
  await expect(paragraphs.nth(2)).toHaveText(
    'It is more than 60 minutes late and will be marked as failed.',
  );
});
