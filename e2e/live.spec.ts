import { eventStream, userList, userUpdate } from '@meridian/contract';
import { runFromPalette } from './support/palette.ts';
import { expect, expectAccessible, test } from './support/test.ts';
import { managementOf } from './support/user-page.ts';

test('what another administrator changes shows by itself, unless a dialog is open', async ({
  page,
  context,
  app,
}) => {
  const user = await app.rows.user();
  const streaming = page.waitForRequest((request) => request.url().endsWith(eventStream.path));
  await app.open(`/users/${user.id}`);
  await streaming;
  const change = (status: 'SUSPENDED' | 'BLOCKED') =>
    app.meridian.call(userUpdate, { params: { id: user.id }, body: { status } });
  const isNow = (status: string, tab = page) =>
    managementOf(tab).getByRole('button', { name: status });
  // Else the first read of the page might pass for the refresh.
  await expect(
    managementOf(page).getByRole('button', { name: 'Active', exact: true }),
  ).toBeDisabled();
  const refreshed = page.waitForRequest((request) => request.url().endsWith(user.id));
  await change('SUSPENDED');
  await expect(isNow('Suspended')).toBeDisabled();
  // It does not prolong the session.
  expect((await refreshed).headers()).toMatchObject({ 'x-background': '1' });

  await page.getByRole('button', { name: 'Restricted' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('from Suspended');
  // Another tab hears of the next change at the same time.
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(isNow('Suspended', other)).toBeDisabled();
  await expect.poll(() => app.callsTo(eventStream).length).toBe(2);
  const reads: string[] = [];
  page.on('request', (request) => reads.push(request.url()));
  await change('BLOCKED');
  await expect(isNow('Blocked', other)).toBeDisabled();
  expect(reads.filter((url) => url.endsWith(user.id))).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(isNow('Blocked')).toBeDisabled();
});

test('a list says how old it is, keeps its scroll position, and resumes after a cut', async ({
  page,
  context,
  app,
}) => {
  const users = [];
  for (let n = 0; n < 20; n += 1) users.push(await app.rows.user());
  await page.setViewportSize({ width: 900, height: 500 });
  await app.open('/users');
  await expect(page.getByText(/^Updated (just now|\d+ s ago)$/)).toBeVisible();
  await expect.poll(() => app.callsTo(eventStream).length).toBe(1);
  const read = page.getByText(users[12]?.handle ?? '');
  await read.scrollIntoViewIfNeeded();
  const before = await read.boundingBox();
  await context.setOffline(true);
  const late = await app.rows.user({ created_at: '2027-01-01T00:00:00Z' });
  await context.setOffline(false);
  await expect(page.getByText(late.handle)).toBeAttached();
  expect((await read.boundingBox())?.y).toBe(before?.y);
  expect(app.callsTo(userList).length).toBeGreaterThan(1);
});

test('the palette pauses the updates of a page that has no switch for them', async ({
  page,
  context,
  app,
}) => {
  const user = await app.rows.user({});
  const switchUpdates = async (told: string) => {
    await runFromPalette(page, 'updates', /^Pause or resume updates/u);
    await expect(page.getByText(told)).toBeVisible();
  };
  const badgeOf = (tab: typeof page) => tab.getByRole('main').locator('header').first();
  await app.open(`/users/${user.id}`);
  await expect(badgeOf(page)).toContainText('Active');
  await switchUpdates('Updates are paused');

  // Another tab tells when the change could have been seen here.
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(badgeOf(other)).toContainText('Active');
  await expect.poll(() => app.callsTo(eventStream).length).toBe(2);
  const body = { status: 'SUSPENDED' } as const;
  await app.meridian.call(userUpdate, { params: { id: user.id }, body });
  await expect(badgeOf(other)).toContainText('Suspended');
  await expect(badgeOf(page)).toContainText('Active');
  await page.bringToFront();
  await switchUpdates('Updates are on');
  await expect(badgeOf(page)).toContainText('Suspended');
});

test('paused, nothing changes by itself but what the administrator does', async ({
  page,
  context,
  app,
}) => {
  const user = await app.rows.user({ display_name: 'Before' });
  const late = await app.rows.user({ display_name: 'Another' });
  const change = (status: 'SUSPENDED' | 'BLOCKED', { id } = user) =>
    app.meridian.call(userUpdate, { params: { id }, body: { status } });
  await app.open('/users');
  await page.getByRole('button', { name: 'Pause updates' }).press('Enter');
  const paused = page.getByText(/^Paused, as of .*\d\d:\d\d$/);
  await expect(paused).toBeVisible();
  await expectAccessible(page);

  // Another tab tells when the change could have been seen here.
  const other = await context.newPage();
  await other.goto(page.url());
  const rowOf = (tab: typeof page, { handle } = user) =>
    tab.getByRole('row').filter({ hasText: handle });
  await expect(rowOf(other)).toContainText('Active');
  await expect.poll(() => app.callsTo(eventStream).length).toBe(2);
  const reads: string[] = [];
  page.on('request', (request) => reads.push(request.url()));
  await change('SUSPENDED');
  await expect(rowOf(other)).toContainText('Suspended');
  // One more round: each tab waits a moment between two refreshes.
  await change('SUSPENDED', late);
  await expect(rowOf(other, late)).toContainText('Suspended');
  await expect(rowOf(page)).toContainText('Active');
  expect(reads).toEqual([]);

  await test.step('a change of the own hand shows at once', async () => {
    await rowOf(page, late)
      .getByRole('link', { name: /^View Details/ })
      .click();
    await managementOf(page).getByRole('button', { name: 'Restricted' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
    await expect(managementOf(page).getByRole('button', { name: 'Restricted' })).toBeDisabled();
    await page.goBack();
  });
  await expect(paused).toBeVisible();
  await change('BLOCKED');
  await page.getByRole('button', { name: 'Resume updates' }).press('Enter');
  await expect(rowOf(page)).toContainText('Blocked');
  await expect(page.getByText(/^Updated /)).toBeVisible();
  await change('SUSPENDED');
  await expect(rowOf(page)).toContainText('Suspended');
});
