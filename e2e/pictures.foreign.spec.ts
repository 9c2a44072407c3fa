import {
  assignmentList,
  authMe,
  pictureLoad,
  postGet,
  postList,
  userGet,
  userList,
  userPosts,
} from '@meridian/contract';
import type { Page } from '@playwright/test';
import { sendPng } from '../server/src/features/pictures/testing/picture-host.ts';
import { watchForeignHosts } from './support/foreign-hosts.ts';
import type { ForeignRequest } from './support/foreign-hosts.ts';
import { startFront } from './support/front.ts';
import type { Front } from './support/front.ts';
import { expectNoSidewaysScroll } from './support/layout.ts';
import { previewOf } from './support/post-page.ts';
import { ME, samplePost, sampleUser } from './support/samples.ts';
import type { StandIn } from './support/stand-in.ts';
import { expect, expectAccessible, rememberToken, test as base } from './support/test.ts';
import { visit } from './support/visit.ts';

const AVATAR = 'https://avatars.example.test/face.png';
const IMAGE = 'https://images.example.test/photo';
const THUMB = 'https://cards.example.test/preview.webp';

const user = sampleUser({ display_name: 'Harbour Lights', avatar: AVATAR });
const post = samplePost({
  user: { ...user },
  embed: {
    images: [
      { url: IMAGE, alt: 'The harbour at night' },
      { url: 'https://trusted.example.test/photo', alt: 'The harbour at noon' },
    ],
    external: { uri: 'https://menu.example.test/', title: 'Menu', description: '', thumb: THUMB },
  },
});

function scriptForeignPictures(standIn: StandIn): void {
  standIn
    .on(authMe, { body: ME })
    .on(userList, { body: { users: [user], total: 1 } })
    .on(userGet, { body: { user } })
    .on(userPosts, { body: { posts: [post], total: 1 } })
    .on(assignmentList, { body: { assignments: [] } })
    .on(postList, { body: { posts: [post], total: 1 } })
    .on(postGet, { body: { post } });
}

/** Meridian in front of another service, whose users and posts have pictures elsewhere. */
const test = base.extend<{ front: Front; requests: ForeignRequest[]; loaded: string[] }>({
  front: async ({ standIn }, provide) => {
    scriptForeignPictures(standIn);
    const front = await startFront(standIn);
    await provide(front);
    await front.close();
  },
  requests: async ({ page, front }, provide) => {
    await rememberToken(page, 'a-token');
    await provide(await watchForeignHosts(page, front.url));
  },
  /** The pictures that the console asked this server to fetch. */
  loaded: async ({ page }, provide) => {
    const loaded: string[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname === pictureLoad.path) loaded.push(url.searchParams.get('url') ?? '');
    });
    await provide(loaded);
  },
});

const untrusted = (requests: ForeignRequest[]) =>
  requests.map(({ url }) => url).filter((url) => !url.startsWith('https://trusted.example.test/'));
const loadFrom = (page: Page, host: string) =>
  page.getByRole('button', { name: `Load picture from ${host}`, exact: true });

test('a user is shown without the avatar until it is asked for, then through the server', async ({
  page,
  front,
  requests,
  loaded,
}) => {
  await page.goto(`${front.url}/users/${user.id}`);
  const button = loadFrom(page, 'avatars.example.test');
  await expect(button).toHaveText('Load picture');
  await page.waitForLoadState('networkidle');
  await expect(page.locator('main img')).toHaveCount(0);
  expect([requests, loaded, front.host.requests]).toEqual([[], [], []]);
  await expectAccessible(page);

  await button.click();
  const avatar = page.locator('main img').first();
  await expect(avatar).toHaveAttribute('src', /^blob:/);
  await expect(avatar).toHaveJSProperty('naturalWidth', 1);
  await expect(page.locator(':focus')).toHaveText('Picture from avatars.example.test');
  await expect(button).toHaveCount(0);
  expect([requests, loaded]).toEqual([[], [AVATAR]]);
  expect(front.host.requests.map(({ url, headers }) => [url, headers.referer])).toEqual([
    ['/face.png', undefined],
  ]);
});

test('a post shows its pictures in boxes, each loaded by its own button', async ({
  page,
  front,
  requests,
  loaded,
}) => {
  await page.goto(`${front.url}/posts/${post.id}`);
  const preview = previewOf(page);
  const images = preview.getByRole('list', { name: 'Images' }).getByRole('listitem');
  await expect(images.nth(1).getByRole('img', { name: 'The harbour at noon' })).toBeVisible();
  await expect(images.nth(0).getByText('Picture on images.example.test')).toBeVisible();
  await expect(loadFrom(page, 'avatars.example.test')).toBeVisible();
  await expect(loadFrom(page, 'cards.example.test')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(preview.locator('img')).toHaveCount(1);
  expect([untrusted(requests), loaded, front.host.requests]).toEqual([[], [], []]);
  await expectAccessible(page);

  const sizeOf = () => images.nth(0).locator('div').first().boundingBox();
  const before = await sizeOf();
  await loadFrom(page, 'images.example.test').click();
  const image = images.nth(0).getByRole('img', { name: 'The harbour at night' });
  await expect(image).toHaveJSProperty('naturalWidth', 1);
  expect(await sizeOf()).toEqual(before);
  expect(loaded).toEqual([IMAGE]);

  await loadFrom(page, 'cards.example.test').press('Enter');
  await expect(preview.getByRole('article').locator('img')).toHaveJSProperty('naturalWidth', 1);
  await loadFrom(page, 'avatars.example.test').click();
  await expect(preview.locator('img')).toHaveCount(4);
  expect(loaded).toEqual([IMAGE, THUMB, AVATAR]);
  expect(untrusted(requests)).toEqual([]);
  expect(requests.filter(({ referer }) => referer !== undefined)).toEqual([]);
});

test('a picture that does not come says why, and may be asked for again', async ({
  page,
  front,
  requests,
}) => {
  front.host.answerWith((_, response) => void response.writeHead(404).end());
  await page.goto(`${front.url}/posts/${post.id}`);
  const item = previewOf(page).getByRole('list', { name: 'Images' }).getByRole('listitem').first();
  await loadFrom(page, 'images.example.test').click();
  await expect(item.getByRole('alert')).toHaveText('The host did not send this picture');
  const link = item.getByRole('link', { name: 'Open in a new tab' });
  await expect(link).toHaveAttribute('href', IMAGE);
  await expect(link).toHaveAttribute('rel', /noopener noreferrer/);

  front.host.answerWith(sendPng);
  await item.getByRole('button', { name: /^Try again/ }).click();
  await expect(item.getByRole('img')).toHaveJSProperty('naturalWidth', 1);
  await expect(item.getByRole('alert')).toHaveCount(0);
  expect(untrusted(requests)).toEqual([]);
});

test('a picture of one user is not shown as that of the next', async ({ page, standIn, front }) => {
  const other = sampleUser({ display_name: 'Other', avatar: 'https://more.example.test/b.png' });
  await rememberToken(page, 'a-token');
  await page.goto(`${front.url}/users/${user.id}`);
  await loadFrom(page, 'avatars.example.test').click();
  // In the head of the page and in the profile.
  await expect(page.locator('main img')).toHaveCount(2);
  standIn.on(userGet, { body: { user: other } });
  await page.evaluate((path) => {
    window.history.pushState(null, '', path);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, `/users/${other.id}`);
  await expect(loadFrom(page, 'more.example.test')).toBeVisible();
  await expect(page.locator('main img')).toHaveCount(0);

  standIn.on(userGet, { body: { user } });
  await page.goBack();
  await expect(loadFrom(page, 'avatars.example.test')).toBeVisible();
  await expect(page.locator('main img')).toHaveCount(0);
});

test('a session that the service has ended leads to the sign-in', async ({
  page,
  standIn,
  front,
}) => {
  await rememberToken(page, 'a-token');
  await page.goto(`${front.url}/users/${user.id}`);
  const button = loadFrom(page, 'avatars.example.test');
  await expect(button).toBeVisible();
  standIn.on(authMe, { status: 401, body: { message: 'No' } });
  await button.click();
  await expect(page).toHaveURL(/\/login/);
  expect(front.host.requests).toEqual([]);
});

test('the boxes fit into wide and narrow windows, however long the host is', async ({
  page,
  standIn,
  front,
}) => {
  const long = `https://${'long-name.'.repeat(20)}example.test/a.png`;
  standIn
    .on(postGet, {
      body: {
        post: {
          ...post,
          user: { ...user, avatar: long },
          embed: {
            images: [{ url: long, alt: '' }],
            external: { uri: long, title: 'Menu', thumb: long },
          },
        },
      },
    })
    .on(userGet, { body: { user: { ...user, avatar: long } } });
  await rememberToken(page, 'a-token');
  for (const path of [`/posts/${post.id}`, `/users/${user.id}`]) {
    await page.goto(`${front.url}${path}`);
    await expect(page.getByRole('button', { name: /^Load picture/ }).first()).toBeVisible();
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoSidewaysScroll(page);
    }
  }
});

test('a page of another server offers the way to the picture instead of loading it', async ({
  page,
  standIn,
}) => {
  scriptForeignPictures(standIn);
  const requests = await watchForeignHosts(page, standIn.url);
  await visit(page, standIn, `/posts/${post.id}`);
  const links = previewOf(page).getByRole('link', { name: 'Open in a new tab' });
  await expect(links).toHaveCount(4);
  await expect(links.first()).toHaveAttribute('href', AVATAR);
  await expect(page.getByRole('button', { name: /^Load picture/ })).toHaveCount(0);
  await visit(page, standIn, `/users/${user.id}`);
  await expect(page.getByRole('link', { name: 'Open in a new tab' })).toHaveAttribute(
    'href',
    AVATAR,
  );
  expect(requests).toEqual([]);
});
