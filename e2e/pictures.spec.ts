import { withoutEvents } from './support/open-requests.ts';
import { watchForeignHosts } from './support/foreign-hosts.ts';
import { previewOf } from './support/post-page.ts';
import { findSampleIds, SCREENS } from './support/screens.ts';
import { expect, test } from './support/test.ts';

test('pictures of other hosts are not requested: lists show the initial, details a button', async ({
  page,
  app,
}) => {
  const requests = await watchForeignHosts(page, app.url);
  await withoutEvents(page);
  const avatar = 'https://avatars.example.test/face.png';
  const post = await app.rows.post({
    user: { display_name: 'Harbour Lights', avatar },
    embed: {
      images: [
        { url: 'https://images.example.test/photo', alt: 'The harbour at night' },
        { url: 'http://plain.example.test/photo', alt: 'The harbour at noon' },
      ],
    },
  });
  for (const path of ['/users', '/posts']) {
    await app.open(path);
    const row = page.getByRole('row').nth(1);
    await expect(row.getByText('H', { exact: true })).toBeVisible();
    await page.waitForLoadState('networkidle');
    await expect(row.locator('img')).toHaveCount(0);
    await expect(row.getByRole('button', { name: /picture/ })).toHaveCount(0);
  }
  const load = (host: string) =>
    page.getByRole('button', { name: `Load picture from ${host}`, exact: true });
  await app.open(`/users/${post.user_id}`);
  await expect(load('avatars.example.test')).toBeVisible();
  await app.open(`/posts/${post.id}`);
  await expect(load('images.example.test')).toBeVisible();
  await expect(load('plain.example.test')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(previewOf(page).locator('img')).toHaveCount(0);
  expect(requests).toEqual([]);
});

test('the demonstration leads the browser to no other host', async ({
  signedIn: page,
  meridian,
}) => {
  test.slow();
  const requests = await watchForeignHosts(page, meridian.url);
  await withoutEvents(page);
  const ids = await findSampleIds(meridian);
  const shown = SCREENS.filter(({ name }) => /^(User|Scheduled|Post|Ticket)/.test(name));
  const paths = [
    ...shown.map((screen) => screen.path(ids)),
    '/posts?userFilter=.test',
    ...[2, 8, 9, 11].map((n) => `/posts/5c4ed000-0000-4000-8000-${String(n).padStart(12, '0')}`),
  ];
  for (const path of paths) {
    await page.goto(`${meridian.url}${path}`);
    await page.waitForLoadState('networkidle');
    await expect(page.getByRole('button', { name: /^Load picture/ })).toHaveCount(0);
  }
  expect(requests).toEqual([]);
});
