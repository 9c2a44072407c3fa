import { assignmentList, assignmentRevoke, userGet, userList } from '@meridian/contract';
import { sampleAssignment, samplePosts, sampleUser } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { openUser, plansOf, postsOf, valueOf } from './support/user-page.ts';
import { visit } from './support/visit.ts';

test('a 404 without a message says User not found, and one with a message says that', async ({
  page,
  standIn,
}) => {
  for (const [response, heading] of [
    [{ status: 404, body: {} }, 'User not found'],
    [{ status: 404, text: '<h1>' }, 'User not found'],
    [{ status: 404, body: { message: 'Moved away' } }, 'Moved away'],
  ] as const) {
    standIn.on(userGet, response);
    await visit(page, standIn, '/users/unknown');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(page.getByText('No user has this ID.', { exact: true })).toBeVisible();
  }
});

test('a user may come without the envelope', async ({ page, standIn }) => {
  standIn.on(userGet, { body: sampleUser({ display_name: 'Bare as can be' }) });
  await visit(page, standIn, '/users/some-user');
  await expect(page.getByRole('heading', { level: 1, name: 'Bare as can be' })).toBeVisible();
});

test('recent posts are ten at most, even if the server sends more', async ({ page, standIn }) => {
  await openUser(page, standIn, { assignments: [], posts: samplePosts(12) });
  await expect(postsOf(page).getByRole('listitem')).toHaveCount(10);
});

test('an unknown status is shown as it came', async ({ page, standIn }) => {
  standIn.on(userList, { body: { users: [sampleUser({ status: 'ON_LEAVE' })], total: 1 } });
  await visit(page, standIn, '/users');
  await expect(page.getByRole('row').nth(1).getByText('ON_LEAVE')).toBeVisible();
});

test('an assignment with little data shows dashes, and with unknown words shows them', async ({
  page,
  standIn,
}) => {
  const { plan, ...rest } = sampleAssignment();
  await openUser(page, standIn, {
    assignments: [
      // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- a shape that the contract forbids
      { ...rest, plan: null } as never,
      sampleAssignment({
        status: 'PAUSED',
        plan: {
          ...plan,
          name: 'plain-name',
          displayName: { ja: '名前' },
          limits: { pets_allowed: 3 },
        },
      }),
    ],
    posts: [],
  });
  const [bare, odd] = [
    plansOf(page).getByRole('article').first(),
    plansOf(page).getByRole('article').nth(1),
  ];
  await expect(bare.getByRole('heading')).toHaveText('–');
  await expect(odd.getByRole('heading', { name: 'plain-name' })).toBeVisible();
  await expect(odd.getByText('PAUSED', { exact: true })).toBeVisible();
  await expect(odd.getByRole('button', { name: 'Revoke' })).toHaveCount(0);
  await expect(valueOf(page, 'Pets allowed')).toHaveText('3');
});

test('an assignment may come without its user, and can be revoked all the same', async ({
  page,
  standIn,
}) => {
  const { user: _, ...assignment } = sampleAssignment();
  standIn.on(assignmentList, { body: { assignments: [assignment] } });
  const user = await openUser(page, standIn, { posts: [] });
  standIn.on(assignmentRevoke, { body: {} });
  await plansOf(page).getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Plan assignment revoked')).toBeVisible();
  expect(standIn.callsTo(assignmentRevoke)[0]?.url).toBe(
    `/api/admin/users/${user.id}/plan-assignments/${assignment.id}/revoke`,
  );
});
