import { meEvents } from '@meridian/contract/events';
import { mePostCreate, mePostList } from '@meridian/contract/me/posts';
import type { APIRequestContext } from '@playwright/test';
import {
  chooseLastDay,
  handleOf,
  issueTicket,
  people,
  redeem,
  schedule,
  signInPerson,
  test,
} from './support/people-page.ts';
import { expect } from './support/test.ts';

test('what is written outlives a reload, another tab and the end of the session', async ({
  page,
  context,
  service,
}) => {
  await signInPerson(page, service.url, handleOf('drafts'));
  await people.text(page).fill('Half a thought');
  await page.reload();
  await expect(people.text(page)).toHaveValue('Half a thought');

  const other = await context.newPage();
  await other.goto(`${service.url}/me`);
  await expect(people.text(other)).toHaveValue('Half a thought');
  await people.text(other).fill('A whole thought');
  await expect(people.text(page)).toHaveValue('A whole thought');
  await other.close();

  await context.clearCookies();
  await people.schedule(page).click();
  await expect(page.getByText(/^Your session has ended/)).toBeVisible();
  await page.getByRole('button', { name: 'Sign in with Bluesky' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(people.text(page)).toHaveValue('A whole thought');
});

test('a lost response and a second press make one post', async ({ page, context, service }) => {
  await signInPerson(page, service.url, handleOf('once'));
  await people.text(page).fill('Only once');
  const keys: (string | undefined)[] = [];
  let isLost = true;
  await context.route(`**${mePostCreate.path}`, async (route) => {
    const request = route.request();
    if (request.method() !== 'POST') return route.fallback();
    keys.push(request.headers()['idempotency-key']);
    if (!isLost) return route.fallback();
    isLost = false;
    // The server does it; the browser never learns.
    await route.fetch();
    return route.abort();
  });
  await people.schedule(page).click();
  await expect(people.composer(page).getByRole('alert')).toContainText('cannot be reached');
  await people.schedule(page).dblclick();
  await expect(people.text(page)).toHaveValue('');
  await expect(people.post(page, 'Only once')).toHaveCount(1);
  expect(new Set(keys).size).toBe(1);
  await page.reload();
  await expect(people.post(page, 'Only once')).toHaveCount(1);
});

test('what is typed while a post is sent is the next post, and one that was not sent comes back', async ({
  page,
  context,
  service,
}) => {
  await signInPerson(page, service.url, handleOf('typing'));
  let isLost = false;
  let arrived = Promise.withResolvers<void>();
  let isTyped = Promise.withResolvers<void>();
  await context.route(`**${mePostCreate.path}`, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    arrived.resolve();
    await isTyped.promise;
    return isLost ? route.abort() : route.fallback();
  });
  await people.text(page).fill('A thought');
  await chooseLastDay(page);
  await people.text(page).focus();
  await people.schedule(page).dispatchEvent('click');
  await arrived.promise;
  // The person goes on typing.
  await page.keyboard.type('The next');
  isTyped.resolve();
  await expect(people.post(page, 'A thought')).toHaveCount(1);
  await page.keyboard.type(' one');
  await expect(people.text(page)).toHaveValue('The next one');
  await expect(people.composer(page)).toBeVisible();

  [isLost, arrived, isTyped] = [true, Promise.withResolvers(), Promise.withResolvers()];
  await people.schedule(page).click();
  await arrived.promise;
  await people.text(page).fill('A third one');
  isTyped.resolve();
  await expect(page.getByRole('alert')).toContainText(
    /^The post before this one was not scheduled, and comes back after it\. .*cannot be reached/,
  );
  isLost = false;
  await people.schedule(page).click();
  await expect(people.post(page, 'A third one')).toHaveCount(1);
  await expect(people.text(page)).toHaveValue('The next one');

  // It comes back as well when what was typed instead is taken out.
  [isLost, arrived, isTyped] = [true, Promise.withResolvers(), Promise.withResolvers()];
  await people.schedule(page).click();
  await arrived.promise;
  await people.text(page).fill('Never mind');
  isTyped.resolve();
  await expect(page.getByRole('alert')).toContainText('The post before this one');
  await people.text(page).fill('');
  await expect(people.text(page)).toHaveValue('The next one');
});

test('changes that are not saved are not lost to another post or another device', async ({
  page,
  service,
}) => {
  await signInPerson(page, service.url, handleOf('unsaved'));
  await redeem(page, await issueTicket(service));
  for (const words of ['First post', 'Second post']) {
    await people.text(page).fill(words);
    await chooseLastDay(page);
    await schedule(page);
    await expect(people.post(page, words)).toBeVisible();
  }
  const edit = (words: string) => people.post(page, words).getByRole('button', { name: 'Edit' });
  await edit('First post').click();
  await people.text(page).fill('First post, changed here');
  await edit('Second post').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await edit('First post').click();
  await expect(people.text(page)).toHaveValue('First post, changed here');

  // Another device changes it meanwhile.
  const mine = await page.request.get(`${service.url}${mePostList.path}`);
  const { posts } = mePostList.answer.parse(await mine.json());
  const first = posts.find(({ content }) => content === 'First post');
  if (first === undefined) throw new Error('The first post is not listed');
  await page.request.patch(`${service.url}${mePostList.path}/${first.id}`, {
    data: { content: 'First post, changed there', scheduledAt: first.scheduledAt },
  });
  const save = page.getByRole('button', { name: 'Save changes' });
  await save.click();
  await expect(page.getByText(/^This post was changed elsewhere/)).toBeVisible();
  await save.click();
  await expect(people.post(page, 'First post, changed here')).toBeVisible();
});

for (const [how, send] of [
  ['deleted', (request: APIRequestContext, url: string) => request.delete(url)],
  ['cancelled', (request: APIRequestContext, url: string) => request.post(`${url}/cancel`)],
] as const) {
  test(`changes of a post that was ${how} elsewhere become a new post`, async ({
    page,
    service,
  }) => {
    await signInPerson(page, service.url, handleOf(how));
    await people.text(page).fill('As it was');
    await chooseLastDay(page);
    await people.schedule(page).click();
    await people.post(page, 'As it was').getByRole('button', { name: 'Edit' }).click();
    await people.text(page).fill('Rewritten at length');
    const mine = await page.request.get(`${service.url}${mePostList.path}`);
    const { posts } = mePostList.answer.parse(await mine.json());
    await send(page.request, `${service.url}${mePostList.path}/${posts[0]?.id}`);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(
      page.getByText(/Schedule your text as a new post, or discard it\.$/),
    ).toBeVisible();
    await page.reload();
    await expect(people.text(page)).toHaveValue('Rewritten at length');
    await people.schedule(page).click();
    await expect(people.text(page)).toHaveValue('');
    await expect(people.post(page, 'Rewritten at length')).toHaveCount(1);
  });
}

test('a text is not scheduled by another person who signed in in a second tab', async ({
  page,
  context,
  service,
}) => {
  const [writer, other] = [handleOf('writer'), handleOf('other')];
  await signInPerson(page, service.url, writer);
  await people.text(page).fill('Only mine');
  await page.getByRole('button', { name: 'Pause updates' }).click();

  await context.clearCookies();
  const second = await context.newPage();
  await signInPerson(second, service.url, other);
  await redeem(second, await issueTicket(service));
  await people.schedule(page).click();
  await expect(page.getByRole('button', { name: other })).toBeVisible();
  await expect(people.text(page)).toHaveValue('');
  const theirs = await page.request.get(`${service.url}${mePostList.path}`);
  expect(mePostList.answer.parse(await theirs.json()).posts).toEqual([]);

  await context.clearCookies();
  await signInPerson(page, service.url, writer);
  await expect(people.text(page)).toHaveValue('Only mine');
});

test('a part of the page that cannot be loaded is no blank page', async ({
  page,
  context,
  service,
  complaints,
}) => {
  // It would notice that the session is over before the click.
  await page.route(`**${meEvents.path}`, (route) => route.abort());
  await signInPerson(page, service.url, handleOf('parts'));
  await people.text(page).fill('Before the update');
  await page.route('**/SignInPage-*.js', (route) => route.abort());
  await context.clearCookies();
  await people.schedule(page).click();
  await expect(page.getByRole('alert')).toContainText('This page could not be shown.');
  expect(complaints.splice(0).join()).toContain('SignInPage');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('button', { name: 'Sign in with Bluesky' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(people.text(page)).toHaveValue('Before the update');
});
