import { assignmentList, userPosts } from '@meridian/contract';
import { sampleAssignment, samplePosts } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { managementOf, openUser, plansOf, postsOf } from './support/user-page.ts';

test.describe('one card that fails leaves the others alive', () => {
  // Proves 8.42, 8.43
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

  // Proves 8.42, 8.43
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
