import { assignmentList, userGet, userPosts } from '@meridian/contract';
import { sampleAssignment, samplePosts, sampleUser } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { managementOf, openUser, plansOf, postsOf } from './support/user-page.ts';
import { visit } from './support/visit.ts';

test('a failed load of a user says why and can be retried', async ({ page, standIn }) => {
  for (const [response, message] of [
    [{ status: 500, body: { message: 'Out to lunch' } }, 'Out to lunch'],
    [{ cut: true }, 'Failed to load user'],
  ] as const) {
    standIn.on(userGet, response);
    await visit(page, standIn, '/users/some-user');
    await expect(page.getByRole('alert').getByText(message, { exact: true })).toBeVisible();
    standIn.on(userGet, { body: { user: sampleUser({ display_name: 'Here after all' }) } });
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Here after all' })).toBeVisible();
  }
});

test.describe('one card that fails leaves the others alive', () => {
  test('the assignments', async ({ page, standIn }) => {
    const logged: string[] = [];
    page.on('console', (entry) => logged.push(entry.text()));
    standIn.on(assignmentList, { status: 400, body: { message: 'Broken' } });
    await openUser(page, standIn, { posts: samplePosts(1) });
    await expect(
      plansOf(page).getByText('The plan assignments could not be loaded.'),
    ).toBeVisible();
    // Logged only: no red box, no false emptiness.
    expect(logged).toContainEqual('Failed to load the plan assignments: Broken');
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(plansOf(page).getByText('No plans assigned')).toHaveCount(0);
    await expect(postsOf(page).getByRole('link', { name: 'Post number 1' })).toBeVisible();
    await expect(managementOf(page).getByRole('button', { name: 'Blocked' })).toBeEnabled();
    standIn.on(assignmentList, { body: { assignments: [sampleAssignment()] } });
    await plansOf(page).getByRole('button', { name: 'Retry' }).click();
    await expect(plansOf(page).getByRole('heading', { name: 'Studio' })).toBeVisible();
  });

  test('the posts', async ({ page, standIn }) => {
    const logged: string[] = [];
    page.on('console', (entry) => logged.push(entry.text()));
    standIn.on(userPosts, { cut: true });
    await openUser(page, standIn, { assignments: [sampleAssignment()] });
    await expect(postsOf(page).getByText('The posts could not be loaded.')).toBeVisible();
    expect(logged).toContainEqual("Failed to load the user's posts: ApiError");
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(postsOf(page).getByText('No scheduled posts')).toHaveCount(0);
    await expect(plansOf(page).getByRole('heading', { name: 'Studio' })).toBeVisible();
    standIn.on(userPosts, { body: { posts: samplePosts(1), total: 1 } });
    await postsOf(page).getByRole('button', { name: 'Retry' }).click();
    await expect(postsOf(page).getByRole('link', { name: 'Post number 1' })).toBeVisible();
  });
});
