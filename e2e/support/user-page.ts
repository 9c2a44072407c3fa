import { assignmentList, userGet, userPosts } from '@meridian/contract';
import type { Assignment, ListedPost, User } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { sampleUser } from './samples.ts';
import type { StandIn } from './stand-in.ts';
import { visit } from './visit.ts';

type Shown = { user?: User; assignments?: Assignment[]; posts?: ListedPost[] };

/** Opens the details of a user; answers scripted beforehand for its cards are kept. */
export async function openUser(
  page: Page,
  standIn: StandIn,
  { user = sampleUser(), assignments, posts }: Shown = {},
): Promise<User> {
  standIn.on(userGet, { body: { user } });
  if (assignments !== undefined) standIn.on(assignmentList, { body: { assignments } });
  if (posts !== undefined) standIn.on(userPosts, { body: { posts, total: posts.length } });
  await visit(page, standIn, `/users/${user.id}`);
  await expect(page.getByRole('region', { name: 'Profile' })).toBeVisible();
  return user;
}

export const profileOf = (page: Page) => page.getByRole('region', { name: 'Profile' });
export const managementOf = (page: Page) => page.getByRole('region', { name: 'User Management' });
export const plansOf = (page: Page) => page.getByRole('region', { name: 'Plan Assignments' });
export const postsOf = (page: Page) => page.getByRole('region', { name: 'Recent Posts' });

/** What stands under a label. */
export function valueOf(page: Page, label: string) {
  return page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::*[1]');
}
