import {
  planList,
  postGet,
  postList,
  ticketGet,
  ticketList,
  userGet,
  userList,
} from '@meridian/contract';
import { samplePlan, samplePost, sampleTicket, sampleUser } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

const HERE = 'Here after all';
const user = sampleUser({ display_name: HERE });
const post = samplePost({ content: HERE });
const ticket = sampleTicket({ code: HERE });
const tickets = { tickets: [ticket] };
const plan = samplePlan({ displayName: { en: HERE } });

for (const [endpoint, path, failed, body, prefix = ''] of [
  [userList, '/users', 'Failed to load users', { users: [user], total: 1 }],
  [userGet, '/users/u', 'Failed to load user', { user }],
  [postList, '/posts', 'Failed to load posts', { posts: [post], total: 1 }],
  [postGet, '/posts/p', 'Failed to load post details', { post }],
  [ticketList, '/tickets', 'Failed to load tickets', tickets, 'Error: '],
  [ticketGet, '/tickets/t', 'Failed to load ticket', { ticket, assignments: [] }],
  [planList, '/plans', 'Failed to load plans', { plans: [plan] }],
] as const) {
  // Proves 2.100, 2.122, 8.18, 8.19, 8.20, 8.21, 8.22, 8.23, 8.24
  test(`a load of ${path} that fails says why and can be retried`, async ({ page, standIn }) => {
    const alert = page.getByRole('alert');
    standIn.on(endpoint, { cut: true });
    await visit(page, standIn, path);
    await expect(alert.getByText(`${prefix}${failed}`, { exact: true })).toBeVisible();
    await expect(page.getByText(/^No \w+ found$/)).toHaveCount(0);
    for (const [response, message] of [
      [{ status: 500, body: { message: 'Out to lunch' } }, 'Out to lunch'],
      [{ status: 502, text: '<h1>Bad gateway</h1>' }, 'Request failed'],
      [{ status: 503, body: {} }, 'HTTP 503'],
    ] as const) {
      standIn.on(endpoint, response);
      await alert.getByRole('button', { name: 'Retry' }).click();
      await expect(alert.getByText(`${prefix}${message}`, { exact: true })).toBeVisible();
    }
    standIn.on(endpoint, { body });
    await alert.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText(HERE).first()).toBeVisible();
    await expect(alert).toHaveCount(0);
  });
}
