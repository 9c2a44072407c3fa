import {
  assignmentList,
  currencyList,
  planList,
  postGet,
  postList,
  settingsGet,
  statsGet,
  ticketGet,
  ticketList,
  userGet,
  userList,
  userPosts,
} from '@meridian/contract';
import type { Endpoint } from '@meridian/contract';
import { sampleAssignment, sampleTicket, sampleUser } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { valueOf } from './support/user-page.ts';
import { visit } from './support/visit.ts';

/*
 * A server may respond with success and yet not with what was asked for. Read forgivingly that
 * would be an empty list, a zero, or a user without a name: it is a failed load instead. What only
 * lacks a part is shown without that part.
 */

const WRONG: readonly unknown[] = [{}, null, []];
const UNEXPECTED = 'The service responded in an unexpected form.';

const SCREENS: readonly [
  path: string,
  endpoint: Pick<Endpoint, 'name'>,
  message: string,
  lie: RegExp,
][] = [
  ['/users', userList, 'Failed to load users', /No users found/],
  ['/users/u', userGet, 'Failed to load user', /Deactivate User/],
  ['/posts', postList, 'Failed to load posts', /No posts found/],
  ['/posts/p', postGet, 'Failed to load post details', /Delete Post/],
  ['/tickets', ticketList, 'Failed to load tickets', /No tickets found/],
  ['/tickets/t', ticketGet, 'Failed to load ticket', /Copy coupon code/],
  ['/plans', planList, 'Failed to load plans', /No plans found/],
  ['/settings', settingsGet, 'Failed to load service settings', /Last updated/],
];

test('a screen says that it could not be loaded', async ({ page, standIn }) => {
  standIn.on(currencyList, { body: { currencies: [] } });
  for (const [path, endpoint, message, lie] of SCREENS) {
    await test.step(`${path} says '${message}'`, async () => {
      for (const body of WRONG) {
        standIn.on(endpoint, { text: JSON.stringify(body) });
        await visit(page, standIn, path);
        const alert = page.getByRole('alert').filter({ hasText: message });
        await expect(alert).toContainText(UNEXPECTED);
        await expect(alert.getByRole('button', { name: 'Retry' })).toBeVisible();
        await expect(page.getByText(lie)).toHaveCount(0);
      }
    });
  }
});

test('/ shows no zero', async ({ page, standIn }) => {
  for (const body of WRONG) {
    standIn.on(statsGet, { text: JSON.stringify(body) });
    await visit(page, standIn, '/');
    await expect(page.getByText('The numbers could not be loaded.')).toContainText(UNEXPECTED);
    await expect(page.getByRole('article')).toHaveCount(0);
    await expect(page.getByText('No data available')).toHaveCount(0);
  }
});

test('the cards of a user are not empty for want of a list', async ({ page, standIn }) => {
  standIn
    .on(userGet, { body: { user: sampleUser() } })
    .on(assignmentList, { body: {} })
    .on(userPosts, { body: {} });
  await visit(page, standIn, '/users/u');
  await expect(page.getByText('The plan assignments could not be loaded.')).toBeVisible();
  await expect(page.getByText('The posts could not be loaded.')).toContainText(UNEXPECTED);
  await expect(page.getByText(/^No (plans assigned|scheduled posts)$/)).toHaveCount(0);
});

test('a user without flags has dashes, not No', async ({ page, standIn }) => {
  const {
    is_active: _,
    has_access_keyword_access: __,
    upgrade_prohibited: ___,
    ...user
  } = sampleUser();
  standIn.on(userGet, { body: { user } });
  await visit(page, standIn, `/users/${user.id}`);
  await expect(valueOf(page, 'Active')).toHaveText('–');
  await expect(valueOf(page, 'Access Keyword')).toHaveText('–');
  await expect(
    page.getByText('The service did not say whether this user is active.'),
  ).toBeVisible();
  await expect(
    page.getByText('The service did not say whether plan upgrades are prohibited.'),
  ).toBeVisible();
});

test('a ticket without assignments and counts is shown without them', async ({ page, standIn }) => {
  const { validDays: _, redemptionCount: __, ...ticket } = sampleTicket();
  standIn.on(ticketGet, { body: { ticket } });
  await visit(page, standIn, `/tickets/${ticket.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(ticket.code);
  await expect(valueOf(page, 'Usage')).toHaveText('– / 5');
  await expect(valueOf(page, 'Valid Period')).toHaveText('–');
  await expect(page.getByText('No assignments are listed for this ticket.')).toBeVisible();
});

test('a plan may be named by one text in place of one per language', async ({ page, standIn }) => {
  const assignment = sampleAssignment();
  const ticket = sampleTicket();
  const named = { name: 'internal', displayName: 'Studio in short' };
  standIn
    .on(userGet, { body: { user: sampleUser() } })
    .on(assignmentList, {
      body: { assignments: [{ ...assignment, plan: { ...assignment.plan, ...named } }] },
    })
    .on(ticketGet, { body: { ticket: { ...ticket, plan: { ...ticket.plan, ...named } } } });
  await visit(page, standIn, '/users/u');
  await expect(page.getByRole('heading', { name: named.displayName })).toBeVisible();
  await page.goto(`${standIn.url}/tickets/${ticket.id}`);
  await expect(page.getByRole('link', { name: named.displayName })).toBeVisible();
});
