import { postList } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { samplePosts } from './support/samples.ts';
import type { StandIn } from './support/stand-in.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

const firstPost = (page: Page) => page.getByRole('link', { name: 'Post number 1', exact: true });

async function openPosts(page: Page, standIn: StandIn) {
  standIn.on(postList, { body: { posts: samplePosts(20), total: 45 } });
  await visit(page, standIn, '/posts');
  await expect(page.getByRole('row')).toHaveCount(21);
}

test('a next page that fails leaves the rows and the way back', async ({ page, standIn }) => {
  await openPosts(page, standIn);
  standIn.on(postList, { status: 400, body: { message: 'Not now' } });
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByRole('alert')).toContainText('Not now');
  await expect(firstPost(page)).toBeVisible();
  await expect(page.getByText('Showing 1 to 20 of 45 posts')).toBeVisible();
  await page.getByRole('link', { name: 'Previous' }).click();
  await expect(page).toHaveURL(`${standIn.url}/posts`);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByText('Showing 1 to 20 of 45 posts')).toBeVisible();

  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByRole('alert')).toContainText('Not now');
  standIn.on(postList, { body: { posts: samplePosts(20, { content: 'At last' }), total: 45 } });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('link', { name: 'At last' }).first()).toBeVisible();
  await expect(page.getByText('Showing 21 to 40 of 45 posts')).toBeVisible();
});

test('rows of another filter are not left under an error', async ({ page, standIn }) => {
  await openPosts(page, standIn);
  standIn.on(postList, { status: 400, body: { message: 'Not now' } });
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Failed');
  await expect(page.getByRole('alert')).toContainText('Not now');
  await expect(firstPost(page)).toHaveCount(0);
});
