import { userList } from '@meridian/contract';
import { gate } from './support/gate.ts';
import { withCursor } from './support/page-address.ts';
import { withoutEvents } from './support/open-requests.ts';
import { expect, test } from './support/test.ts';

const SQUARE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>';

// Proves 2.40, 2.41, 2.42, 9.15
test('shows each user and sends exactly the parameters of the specification', async ({
  page,
  app,
}) => {
  await withoutEvents(page);
  const user = await app.rows.user({ display_name: 'Harbour Lights Café', status: 'SUSPENDED' });
  await app.rows.user({
    display_name: null,
    handle: 'zora.example',
    created_at: '2026-01-02T08:14:00.000Z',
  });
  await app.open('/users');
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveText([
    'User',
    'Handle',
    'Status',
    'Created At',
    'Details',
  ]);
  // Without the checkbox in it: a header is read with every cell.
  await expect(page.getByRole('columnheader').first()).toHaveAccessibleName('User');
  const row = page.getByRole('row').nth(1);
  await expect(row.getByText('Harbour Lights Café')).toBeVisible();
  await expect(row.getByText('H', { exact: true })).toBeVisible();
  await expect(row.getByText(user.did)).toBeVisible();
  await expect(row.getByRole('cell').nth(1)).toHaveText(user.handle);
  await expect(row.getByText('Suspended')).toBeVisible();
  await expect(row.getByText('2 Mar 2026, 09:14')).toBeVisible();
  const details = row.getByRole('link', { name: /^View Details/ });
  await expect(details).toHaveText('View Details');
  await expect(details).toHaveAttribute('href', `/users/${user.id}`);

  // Without a display name: a dash, and the initial of the handle.
  const nameless = page.getByRole('row').nth(2).getByRole('cell').first();
  await expect(nameless.getByText('-', { exact: true })).toBeVisible();
  await expect(nameless.getByText('Z', { exact: true })).toBeVisible();

  // One page only: the number of users, and no pager.
  await expect(page.getByText('2 users', { exact: true })).toHaveAttribute('aria-live', 'polite');
  await expect(page.getByText(/^Showing/)).toHaveCount(0);
  expect(app.addressesOf(userList)).toEqual(['/api/admin/users?limit=20']);
});

// Proves 2.43
test('shows the avatar once it has loaded, and the initial where it does not', async ({
  page,
  app,
}) => {
  const picture = gate();
  await page.route('**/slow.svg', async (route) => {
    await picture.opened;
    await route.fulfill({ contentType: 'image/svg+xml', body: SQUARE });
  });
  const avatars = ['/slow.svg', '/no-such-picture.png', 'http://plain.example.test/a.png'];
  for (const [index, name] of ['Pictured', 'Broken', 'Unsafe'].entries()) {
    await app.rows.user({
      display_name: name,
      avatar: avatars[index] ?? null,
      created_at: `2026-03-0${9 - index}T08:00:00.000Z`,
    });
  }
  await app.open('/users');
  const avatarOf = (index: number) => page.getByRole('row').nth(index).locator('img');
  await expect(avatarOf(1)).toHaveCSS('opacity', '0');
  await expect(page.getByText('P', { exact: true })).toBeVisible();
  picture.open();
  await expect(avatarOf(1)).toHaveCSS('opacity', '1');
  await expect(avatarOf(1)).toHaveAttribute('referrerpolicy', 'no-referrer');
  await expect(avatarOf(2)).toHaveCount(0);
  await expect(page.getByText('B', { exact: true })).toBeVisible();
  await expect(avatarOf(3)).toHaveCount(0);
});

// Proves 2.44, 2.45, 7.12
test('pages through 20 at a time, old rows staying until the next ones come', async ({
  page,
  app,
}) => {
  await app.rows.users(20);
  await app.open('/users');
  await expect(page.getByRole('row')).toHaveCount(21);
  // A single full page has no pager.
  await expect(page.getByText(/^Showing/)).toHaveCount(0);
  await expect(page.getByText('Next', { exact: true })).toHaveCount(0);

  const user = { display_name: 'On page two', created_at: '2026-01-01T00:00:00.000Z' };
  await app.rows.user(user);
  await page.reload();
  await expect(page.getByText('Showing 1 to 20 of 21 users')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled();
  const held = await app.hold(userList);
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true');
  await expect(page.getByText('Person 1', { exact: true })).toBeVisible();
  held.release();
  await expect(page.getByText('On page two')).toBeVisible();
  await expect(page.getByText('Showing 21 to 21 of 21 users')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled();
  expect(app.callsTo(userList).at(-1)?.url).toContain('/api/admin/users?limit=20&offset=20');
  await page.getByRole('link', { name: 'Previous' }).click();
  await expect(page).toHaveURL(`${app.url}/users`);
  await expect(page.getByText('Showing 1 to 20 of 21 users')).toBeVisible();

  // A page number that no longer exists lands on the last page.
  await app.open('/users?page=99');
  await expect(page.getByText('Showing 21 to 21 of 21 users')).toBeVisible();
  await expect(page).toHaveURL(`${app.url}/users?page=2`);
});

// Proves 2.39
test('filters by status, RESTRICTED not among them, and returns to page 1', async ({
  page,
  app,
}) => {
  await app.rows.users(21);
  await app.rows.user({ display_name: 'Suspended one', status: 'SUSPENDED' });
  await app.rows.user({ display_name: 'Restricted one', status: 'RESTRICTED' });
  await app.open('/users');
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByText('Showing 21 to 23 of 23 users')).toBeVisible();
  const filter = page.getByRole('combobox', { name: 'Status' });
  await expect(filter.getByRole('option')).toHaveText([
    'All Statuses',
    'Active',
    'Suspended',
    'Blocked',
  ]);
  for (const [status, shown] of [
    ['Active', 'Showing 1 to 20 of 21 users'],
    ['Suspended', 'Suspended one'],
    ['Blocked', 'No users found'],
  ] as const) {
    await filter.selectOption(status);
    await expect(page.getByText(shown)).toBeVisible();
    const url = `/users?status=${status.toUpperCase()}`;
    await expect(page).toHaveURL(app.url + url);
    expect(app.callsTo(userList).at(-1)?.url).toBe(
      `/api/admin/users?limit=20&status=${status.toUpperCase()}`,
    );
  }
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(`${app.url}/users`);
  await expect(page.getByText('Restricted one')).toBeVisible();

  // An unknown filter or page in the address means no filter and the first page.
  await app.open('/users?status=UNKNOWN&page=-4');
  await expect(page.getByText('Showing 1 to 20 of 23 users')).toBeVisible();
});

// Proves 2.46
test('says Loading..., and No users found when there are none at all', async ({ page, app }) => {
  const held = await app.hold(userList);
  await app.open('/users');
  await expect(page.getByText('Loading...')).toBeVisible();
  await expect(page.getByText('No users found')).toHaveCount(0);
  held.release();
  await expect(page.getByText('No users found')).toBeVisible();
  await expect(page.getByText('Loading...')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Clear filters' })).toHaveCount(0);
});

// Proves 2.47
test('Back to Users returns to the very list', async ({ page, app }) => {
  await app.rows.users(60);
  await app.open('/users?status=ACTIVE');
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByText('Showing 21 to 40 of 60 users')).toBeVisible();
  const last = page.getByRole('link', { name: /^View Details/ }).last();
  await last.scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => scrollY);
  expect(scrolled).toBeGreaterThan(0);
  await last.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Person 40' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to Users' }).click();
  await expect(page).toHaveURL(withCursor(`${app.url}/users?status=ACTIVE&page=2`));
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(scrolled);
});
