import { postList } from '@meridian/contract/posts';
import { settingsGet, settingsUpdate } from '@meridian/contract/settings';
import { userList, userUpdate } from '@meridian/contract/users';
import {
  addPictures,
  handleOf,
  issueTicket,
  people,
  redeem,
  signInPerson,
  test,
} from './support/people-page.ts';
import { expect, rememberToken } from './support/test.ts';

/** A slot of a minute and the way out. */
const PATIENCE_MS = 120_000;

test('a person and an administrator, in two windows', async ({ page, browser, service }) => {
  test.setTimeout(400_000);
  page.setDefaultTimeout(30_000);
  const consolePage = await (await browser.newContext()).newPage();
  await rememberToken(consolePage, await service.token());
  const handle = handleOf('nina');

  await signInPerson(page, service.url, handle);
  await redeem(page, await issueTicket(service));

  await people.text(page).fill('Two pictures from the coast');
  await addPictures(page);
  await page.getByRole('textbox', { name: 'Alt text of picture 2' }).fill('The coast at noon');
  await page.getByRole('textbox', { name: 'Alt text of picture 1' }).fill('A cat');
  await people.schedule(page).click();
  const mine = people.post(page, 'Two pictures from the coast');
  await expect(mine.getByText('Scheduled', { exact: true })).toBeVisible();
  await expect(mine.getByRole('img', { name: 'A cat' })).toBeVisible();
  await expect(people.text(page)).toHaveValue('');

  // The administrator watches it go out, and opens it where the network shows it.
  const { users } = await service.call(userList, { query: { search: handle } });
  const [user] = users;
  if (user === undefined) throw new Error('The person is not among the users');
  const { posts } = await service.call(postList, { query: { userId: user.id } });
  const [first] = posts;
  if (first === undefined) throw new Error('The post is not among the posts');
  await consolePage.goto(`${service.url}/posts/${first.id}`);
  const link = consolePage.getByRole('link', { name: 'View on Bluesky' });
  await expect(link).toBeVisible({ timeout: PATIENCE_MS });
  const timeline = await consolePage.context().newPage();
  await timeline.goto(new URL((await link.getAttribute('href')) ?? '', service.url).href);
  const shown = timeline.getByRole('article').filter({ hasText: 'Two pictures from the coast' });
  await expect(shown.getByRole('img', { name: 'The coast at noon' })).toBeVisible();
  await expect(shown.getByRole('img', { name: 'A cat' })).toBeVisible();
  await expect(mine.getByText('Published', { exact: true })).toBeVisible();
  await expect(mine.getByRole('link', { name: 'View on Bluesky' })).toBeVisible();

  // Suspended, the next post waits, and the person reads why.
  // Early in a minute, so that the next slot is still to come when the service is suspended.
  await expect.poll(() => new Date().getSeconds(), { timeout: PATIENCE_MS }).toBeLessThan(15);
  await people.text(page).fill('This one has to wait');
  await people.schedule(page).click();
  const next = people.post(page, 'This one has to wait');
  await expect(next.getByText('Scheduled', { exact: true })).toBeVisible();
  const dueAt = Date.parse((await next.getByRole('time').getAttribute('datetime')) ?? '');
  await service.call(settingsUpdate, { body: { is_service_suspended: true } });
  await expect(people.paused(page)).toBeVisible();
  await expect(people.text(page)).toBeHidden();
  await expect.poll(() => Date.now() - dueAt, { timeout: PATIENCE_MS }).toBeGreaterThan(3_000);
  const held = await service.call(postList, { query: { userId: user.id, status: 'PENDING' } });
  expect(held.posts.map(({ content }) => content)).toEqual(['This one has to wait']);

  // Resumed, it goes out by itself, and the page is there again.
  await service.call(settingsUpdate, { body: { is_service_suspended: false } });
  expect((await service.call(settingsGet)).is_service_suspended).toBe(false);
  await page.getByRole('button', { name: 'Published' }).click();
  const waited = people.post(page, 'This one has to wait');
  await expect(waited.getByText('Published', { exact: true })).toBeVisible({
    timeout: PATIENCE_MS,
  });

  // Blocked, the person is out without touching the page, and cannot come back.
  await service.call(userUpdate, { params: { id: user.id }, body: { status: 'BLOCKED' } });
  const response = await page.request.get(`${service.url}/api/me`);
  expect(response.status()).toBe(401);
  await expect(people.handle(page)).toBeVisible();
  await expect(page.getByText(/^Your session has ended/)).toBeVisible();
  await page.getByRole('button', { name: 'Sign in with Bluesky' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByText(/^Your account cannot be used here/)).toBeVisible();
  await consolePage.context().close();
});
