import { DEFAULT_PAGE_CONFIG, imageSources, postGet } from '@meridian/contract';
import type { Post } from '@meridian/contract';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { App } from './app.ts';
import type { Rows } from './rows.ts';
import type { StandIn } from './stand-in.ts';
import { visit } from './visit.ts';

const HOSTS = ['pds.example.test', 'video.example.test', 'pictures.example.test'];

/** Opens a post of a service whose own pictures are served from elsewhere, and some trusted ones. */
export async function openPost(page: Page, standIn: StandIn, post: Post): Promise<void> {
  standIn.on(postGet, { body: { post } });
  standIn.pageConfig = {
    ...DEFAULT_PAGE_CONFIG,
    cdnBaseUrl: 'https://cdn.product.test/',
    imageSources: imageSources('https://cdn.product.test', HOSTS),
  };
  await visit(page, standIn, `/posts/${post.id}`);
  await expect(previewOf(page)).toBeVisible();
}

/** Stores a post and opens it on the real server. */
export async function openStoredPost(
  page: Page,
  app: App,
  fields?: Parameters<Rows['post']>[0],
): Promise<Post> {
  const post = await app.rows.post(fields);
  await app.open(`/posts/${post.id}`);
  await expect(previewOf(page)).toBeVisible();
  return post;
}

/** The post as its readers see it. */
export const previewOf = (page: Page) => page.getByRole('region', { name: 'Post', exact: true });

/** The words of the post itself, without what the console adds to warn of a link. */
export function wordsOf(page: Page): Promise<string> {
  return previewOf(page)
    .getByRole('paragraph')
    .first()
    .evaluate((paragraph) =>
      [...paragraph.children]
        .filter((child) => !child.matches('small'))
        .map((child) => child.textContent)
        .join(''),
    );
}
