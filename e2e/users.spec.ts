import { assignmentList, userGet, userList, userPosts } from '@meridian/contract';
import { gate } from './support/gate.ts';
import { sampleUser } from './support/samples.ts';
import type { StandIn } from './support/stand-in.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

const sampleUsers = (count: number) =>
  Array.from({ length: count }, (_, index) => sampleUser({ display_name: `Person ${index + 1}` }));

const SQUARE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>';

const lastListCall = (standIn: StandIn) => standIn.callsTo(userList).at(-1)?.url;

test('shows each user and sends exactly the parameters of the specification', async ({
  page,
  standIn,
}) => {
  const user = sampleUser({ display_name: 'Harbour Lights Café', status: 'SUSPENDED' });
  standIn.on(userList, { body: { users: [user], total: 1 } });
  await visit(page, standIn, '/users');
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveText([
    'User',
    'Handle',
    'Status',
    'Created At',
    'Details',
  ]);
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
  // One page only: no pager.
  await expect(page.getByText(/^Showing/)).toHaveCount(0);
  expect(standIn.callsTo(userList).map(({ url }) => url)).toEqual(['/api/admin/users?limit=20']);
});

test('without a display name shows a dash and the initial of the handle', async ({
  page,
  standIn,
}) => {
  const user = sampleUser({ display_name: null, handle: 'zora.example' });
  standIn.on(userList, { body: { users: [user], total: 1 } });
  await visit(page, standIn, '/users');
  const first = page.getByRole('row').nth(1).getByRole('cell').first();
  await expect(first.getByText('-', { exact: true })).toBeVisible();
  await expect(first.getByText('Z', { exact: true })).toBeVisible();
});

test('shows the initial until the avatar has come', async ({ page, standIn }) => {
  const picture = gate();
  await page.route('**/slow.svg', async (route) => {
    await picture.opened;
    await route.fulfill({ contentType: 'image/svg+xml', body: SQUARE });
  });
  const user = sampleUser({ display_name: 'Pictured', avatar: '/slow.svg' });
  standIn.on(userList, { body: { users: [user], total: 1 } });
  await visit(page, standIn, '/users');
  const avatar = page.getByRole('main').locator('img');
  await expect(avatar).toHaveCSS('opacity', '0');
  await expect(page.getByRole('main').getByText('P', { exact: true })).toBeVisible();
  picture.open();
  await expect(avatar).toHaveCSS('opacity', '1');
});

test('shows the avatar, and the initial where it does not come', async ({ page, standIn }) => {
  const users = [
    sampleUser({ display_name: 'Pictured', avatar: '/favicon.svg' }),
    sampleUser({ display_name: 'Broken', avatar: '/no-such-picture.png' }),
    sampleUser({ display_name: 'Unsafe', avatar: 'http://plain.example.test/a.png' }),
  ];
  standIn.on(userList, { body: { users, total: 3 } });
  await visit(page, standIn, '/users');
  const picture = (index: number) => page.getByRole('row').nth(index).locator('img');
  await expect(picture(1)).toHaveAttribute('referrerpolicy', 'no-referrer');
  await expect(picture(1)).toHaveJSProperty('complete', true);
  await expect(picture(2)).toHaveCount(0);
  await expect(page.getByText('B', { exact: true })).toBeVisible();
  await expect(picture(3)).toHaveCount(0);
});

test('filters by status, RESTRICTED not among them, and returns to page 1', async ({
  page,
  standIn,
}) => {
  standIn.on(userList, { body: { users: sampleUsers(20), total: 45 } });
  await visit(page, standIn, '/users?page=2');
  await expect.poll(() => lastListCall(standIn)).toBe('/api/admin/users?limit=20&offset=20');
  const filter = page.getByRole('combobox', { name: 'Status' });
  await expect(filter.getByRole('option')).toHaveText([
    'All Statuses',
    'Active',
    'Suspended',
    'Blocked',
  ]);
  for (const status of ['Active', 'Suspended', 'Blocked']) {
    await filter.selectOption(status);
    await expect
      .poll(() => lastListCall(standIn))
      .toBe(`/api/admin/users?limit=20&status=${status.toUpperCase()}`);
    await expect(page).toHaveURL(`${standIn.url}/users?status=${status.toUpperCase()}`);
  }
  await filter.selectOption('All Statuses');
  await expect(page).toHaveURL(`${standIn.url}/users`);
});

test('nonsense in the address means no filter and the first page', async ({ page, standIn }) => {
  standIn.on(userList, { body: { users: sampleUsers(1), total: 1 } });
  await visit(page, standIn, '/users?status=RESTRICTED&page=-4');
  await expect(page.getByRole('row')).toHaveCount(2);
  expect(standIn.callsTo(userList).map(({ url }) => url)).toEqual(['/api/admin/users?limit=20']);
});

test('pages through 20 at a time, old rows staying until the next ones come', async ({
  page,
  standIn,
}) => {
  const next = gate();
  standIn.on(userList, ({ url }) =>
    url.includes('offset=20')
      ? {
          body: { users: [sampleUser({ display_name: 'On page two' })], total: 21 },
          until: next.opened,
        }
      : { body: { users: sampleUsers(20), total: 21 } },
  );
  await visit(page, standIn, '/users');
  await expect(page.getByText('Showing 1 to 20 of 21 users')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled();
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'true');
  await expect(page.getByText('Person 1', { exact: true })).toBeVisible();
  next.open();
  await expect(page.getByText('On page two')).toBeVisible();
  await expect(page.getByText('Showing 21 to 21 of 21 users')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled();
  expect(lastListCall(standIn)).toBe('/api/admin/users?limit=20&offset=20');
  await page.getByRole('link', { name: 'Previous' }).click();
  await expect(page).toHaveURL(`${standIn.url}/users`);
  await expect(page.getByText('Showing 1 to 20 of 21 users')).toBeVisible();
});

test('shows no pager for a single full page', async ({ page, standIn }) => {
  standIn.on(userList, { body: { users: sampleUsers(20), total: 20 } });
  await visit(page, standIn, '/users');
  await expect(page.getByRole('row')).toHaveCount(21);
  await expect(page.getByText(/^Showing/)).toHaveCount(0);
  await expect(page.getByText('Next', { exact: true })).toHaveCount(0);
});

test('a page number that no longer exists lands on the last page', async ({ page, standIn }) => {
  standIn.on(userList, ({ url }) => ({
    body: { users: url.includes('offset=40') ? sampleUsers(5) : [], total: 45 },
  }));
  await visit(page, standIn, '/users?page=99');
  await expect(page.getByText('Showing 41 to 45 of 45 users')).toBeVisible();
  await expect(page).toHaveURL(`${standIn.url}/users?page=3`);
});

test('says Loading... at first', async ({ page, standIn }) => {
  const answer = gate();
  standIn.on(userList, { body: { users: sampleUsers(1), total: 1 }, until: answer.opened });
  await visit(page, standIn, '/users');
  await expect(page.getByText('Loading...')).toBeVisible();
  answer.open();
  await expect(page.getByText('Person 1')).toBeVisible();
  await expect(page.getByText('Loading...')).toHaveCount(0);
});

test('says No users found, and offers to clear a filter', async ({ page, standIn }) => {
  standIn.on(userList, ({ url }) => ({
    body: url.includes('status') ? { users: [], total: 0 } : { users: sampleUsers(1), total: 1 },
  }));
  await visit(page, standIn, '/users?status=BLOCKED');
  await expect(page.getByText('No users found')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(`${standIn.url}/users`);
  await expect(page.getByText('Person 1')).toBeVisible();
});

test('says No users found when there are none at all', async ({ page, standIn }) => {
  standIn.on(userList, { body: { users: [], total: 0 } });
  await visit(page, standIn, '/users');
  await expect(page.getByText('No users found')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Clear filters' })).toHaveCount(0);
});

test.describe('a failed load', () => {
  for (const [what, answer, message] of [
    ["the server's own words", { status: 500, body: { message: 'Out to lunch' } }, 'Out to lunch'],
    ['a body that is no JSON', { status: 502, text: '<h1>Bad gateway</h1>' }, 'Request failed'],
    ['no message', { status: 503, body: {} }, 'HTTP 503'],
    ['no answer at all', { cut: true }, 'Failed to load users'],
  ] as const) {
    test(`shows ${what} and tries again`, async ({ page, standIn }) => {
      standIn.on(userList, answer);
      await visit(page, standIn, '/users');
      await expect(page.getByRole('alert')).toContainText(message);
      standIn.on(userList, { body: { users: sampleUsers(1), total: 1 } });
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(page.getByText('Person 1')).toBeVisible();
      await expect(page.getByRole('alert')).toHaveCount(0);
    });
  }
});

test('Back to Users returns to the very list', async ({ page, standIn }) => {
  const users = sampleUsers(20);
  standIn
    .on(userList, { body: { users, total: 60 } })
    .on(userGet, (_, { id }) => ({ body: { user: users.find((user) => user.id === id) } }))
    .on(assignmentList, { body: { assignments: [] } })
    .on(userPosts, { body: { posts: [], total: 0 } });
  await visit(page, standIn, '/users?status=ACTIVE&page=2');
  const last = page.getByRole('link', { name: /^View Details/ }).last();
  await last.scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => scrollY);
  expect(scrolled).toBeGreaterThan(0);
  await last.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Person 20' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to Users' }).click();
  await expect(page).toHaveURL(`${standIn.url}/users?status=ACTIVE&page=2`);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(scrolled);
});

test('an unknown status of another server is shown as it came', async ({ page, standIn }) => {
  standIn.on(userList, { body: { users: [sampleUser({ status: 'ON_LEAVE' })], total: 1 } });
  await visit(page, standIn, '/users');
  await expect(page.getByRole('row').nth(1).getByText('ON_LEAVE')).toBeVisible();
});

test('filters and pages on the real server', async ({ signedIn: page, meridian }) => {
  const { total } = await meridian.call(userList, { query: { status: 'ACTIVE' } });
  await page.goto(`${meridian.url}/users`);
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Active');
  await expect(page.getByText(`Showing 1 to 20 of ${total} users`)).toBeVisible();
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByText(`Showing 21 to 40 of ${total} users`)).toBeVisible();
  await expect(page.getByRole('row').getByText('Active', { exact: true })).toHaveCount(20);
});
