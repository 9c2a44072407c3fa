import { resumePreview, serviceResume, settingsUpdate, suspensionUpdate } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { startMeridian } from './support/meridian.ts';
import { withoutEvents } from './support/open-requests.ts';
import { openRows } from './support/rows.ts';
import { expect, rememberToken, test } from './support/test.ts';

const stripOf = (page: Page) => page.getByRole('complementary', { name: 'Service state' });
const toggleOf = (page: Page) => page.getByRole('switch', { name: 'Service suspension' });
const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

test('suspending keeps why, until when and what users are told; the strip shows it everywhere', async ({
  page,
  app,
}) => {
  await app.rows.posts(3, { latest: minutesFromNow(-90) });
  await app.open('/settings');
  await toggleOf(page).click();
  const dialog = page.getByRole('alertdialog', { name: 'Suspend Service' });
  await expect(dialog).toContainText('all users cannot access the service');
  await dialog.getByLabel('Reason (optional)').fill('The database is full');
  await dialog.getByLabel('Expected end (optional)').fill('2030-01-01T10:00');
  await dialog.getByLabel('Notice for users (optional)').fill('We are back at ten');
  await expectAccessibleInTwoLooks(page);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Service suspension is now on')).toBeVisible();
  expect(app.callsTo(suspensionUpdate)).toHaveLength(1);
  expect(app.callsTo(settingsUpdate)).toEqual([]);

  const service = page.getByRole('region', { name: 'Service', exact: true });
  for (const words of ['The database is full', '1 Jan 2030, 10:00', 'We are back at ten']) {
    await expect(service.getByText(words)).toBeVisible();
  }
  await service.getByRole('button', { name: 'Change Details' }).click();
  const details = page.getByRole('alertdialog', { name: 'Change Suspension Details' });
  await expect(details.getByLabel('Expected end (optional)')).toHaveValue('2030-01-01T10:00');
  await details.getByLabel('Notice for users (optional)').fill('We are back at eleven');
  await details.getByRole('button', { name: 'Confirm' }).click();
  await expect(service.getByText('We are back at eleven')).toBeVisible();
  await expect(service.getByText('The database is full')).toBeVisible();

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${app.url}/users`);
  for (const words of [
    'Service suspended',
    /^by admin/,
    'The database is full',
    /expected to end 1 Jan 2030, 10:00/,
    '3 posts waiting',
    /oldest due 2 hours ago/,
  ]) {
    await expect(stripOf(page).getByText(words).first()).toBeVisible();
  }
  await expect(stripOf(page)).not.toContainText('eleven');
  await expectAccessibleInTwoLooks(page);
  await expect(stripOf(page).getByText('Service suspended')).toBeVisible();
});

test('without details it stays the call of the specification, and resuming as usual too', async ({
  page,
  app,
}) => {
  await app.open('/settings');
  for (const name of ['Suspend Service', 'Resume Service']) {
    await toggleOf(page).click();
    const dialog = page.getByRole('alertdialog', { name });
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(dialog).toHaveCount(0);
  }
  expect(app.callsTo(settingsUpdate)).toHaveLength(2);
  for (const extra of [suspensionUpdate, resumePreview, serviceResume]) {
    expect(app.callsTo(extra)).toEqual([]);
  }
});

test('a plan for the posts that wait asks again when they have changed', async ({ page, app }) => {
  await withoutEvents(page);
  await app.rows.engine.suspend(minutesFromNow(-180));
  const user = await app.rows.user();
  const first = await app.rows.post({ user, scheduled_at: minutesFromNow(-5) });
  await app.rows.posts(2, { latest: minutesFromNow(-20) }, user);
  await app.rows.posts(4, { latest: minutesFromNow(-90) }, user);
  await app.open('/settings');
  await toggleOf(page).click();
  const dialog = page.getByRole('alertdialog', { name: 'Resume Service' });
  await dialog.getByLabel('Posts that wait').selectOption('By how late they are');
  const older = dialog.getByLabel('1 h to 6 h late: 4 posts');
  await expect(older).toHaveValue('tooLate');
  await expect(dialog.getByLabel('Up to 15 min late: 1 post')).toHaveValue('publish');
  await expect(dialog).toContainText('The usual limit is 60 minutes.');
  await expect(dialog).toContainText('4 posts will be marked as too late.');
  await dialog.getByLabel('15 min to 1 h late: 2 posts').selectOption('Mark as too late');
  await older.selectOption('Publish late');
  await dialog.getByLabel('Posts a minute').fill('2');
  await expect(dialog).toContainText('5 posts will be published late, oldest first, over 2 min.');
  await expect(dialog).toContainText('2 posts will be marked as too late.');
  await expectAccessibleInTwoLooks(page);

  await dialog.getByLabel('Posts a minute').fill('0');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Posts a minute must be a whole number');
  await dialog.getByLabel('Posts a minute').fill('2');
  await app.rows.engine.settle(first, 'CANCELLED');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    /The posts that wait have changed: 7 in the preview, 6 now\. Look again\./,
  );
  await expect(dialog.getByLabel('Up to 15 min late: 1 post')).toHaveCount(0);
  await expect(dialog).toContainText('4 posts will be published late, oldest first, over 1.5 min.');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Service suspension is now off')).toBeVisible();
  await expect(stripOf(page)).toHaveCount(0);
  expect(app.callsTo(serviceResume).at(-1)?.body).toMatchObject({
    tooLate: ['upTo1Hour'],
    perMinute: 2,
  });
  expect(app.callsTo(settingsUpdate)).toEqual([]);
});

test('the engine does what the plan said', async ({ page }) => {
  const { meridian, dataDir, stop } = await startMeridian({ DEMO_DATA: 'off', NETWORK: 'local' });
  const rows = await openRows(dataDir, meridian);
  try {
    await rows.engine.suspend(minutesFromNow(-180));
    await rows.posts(2, { latest: minutesFromNow(-20), content: 'Half an hour late' });
    await rows.posts(3, { latest: minutesFromNow(-90), content: 'An hour and a half late' });
    await rememberToken(page, await meridian.token());
    await page.goto(`${meridian.url}/settings`);
    await toggleOf(page).click();
    const dialog = page.getByRole('alertdialog', { name: 'Resume Service' });
    await dialog.getByLabel('Posts that wait').selectOption('By how late they are');
    await dialog.getByLabel('1 h to 6 h late: 3 posts').selectOption('Publish late');
    await dialog.getByLabel('15 min to 1 h late: 2 posts').selectOption('Mark as too late');
    await dialog.getByLabel('Posts a minute').fill('600');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText('Service suspension is now off')).toBeVisible();
    await page.goto(`${meridian.url}/posts?status=COMPLETED`);
    const list = page.getByRole('table', { name: 'Scheduled posts' });
    await expect(list.getByText('An hour and a half late')).toHaveCount(3);
    await page.goto(`${meridian.url}/posts?status=FAILED`);
    await expect(list.getByText('Half an hour late')).toHaveCount(2);
    await expect(list.getByText('An hour and a half late')).toHaveCount(0);
  } finally {
    await rows.close();
    await stop();
  }
});
