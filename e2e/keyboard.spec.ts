import { settingsUpdate, userGet, userList, userUpdate } from '@meridian/contract';
import type { Locator, Page } from '@playwright/test';
import { ADMIN } from './support/meridian.ts';
import { openStoredPost } from './support/post-page.ts';
import { expect, test } from './support/test.ts';

const STOPS_MAX = 150;

/** Presses Tab as often as it takes, which must not be for ever, and returns how often. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  await expect(target).toBeVisible();
  for (let stops = 0; stops < STOPS_MAX; stops += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return stops;
    await page.keyboard.press(key);
  }
  throw new Error(`Not reached in ${STOPS_MAX} stops: ${target.toString()}`);
}

// Proves 6.2
test('sign in, filter, open a user, suspend, confirm, log out: all without a mouse', async ({
  page,
  meridian,
}) => {
  test.slow();
  const { users } = await meridian.call(userList, { query: { status: 'ACTIVE', limit: 20 } });
  const user = users[3];
  if (user === undefined) throw new Error('The demo data lacks active users');

  await test.step('sign in', async () => {
    await page.goto(meridian.url);
    await tabTo(page, page.getByRole('textbox', { name: 'Username' }));
    await page.keyboard.type(ADMIN.username);
    await page.keyboard.press('Tab');
    await page.keyboard.type(ADMIN.password);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  });

  await test.step('filter the users', async () => {
    await tabTo(page, page.getByRole('navigation').getByRole('link', { name: 'Users' }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeFocused();
    await page.keyboard.press('/');
    await expect(page.getByRole('searchbox', { name: 'Handle, DID or name' })).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await expect(page.getByRole('combobox', { name: 'Status' })).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${meridian.url}/users?status=ACTIVE`);
    await expect(page.getByRole('combobox', { name: 'Status' })).toBeFocused();
  });

  await test.step('open one of them', async () => {
    const details = page.getByRole('link', { name: `View Details of ${user.handle}` });
    await tabTo(page, details);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${meridian.url}/users/${user.id}`);
    await expect(page.getByRole('region', { name: 'Recent Posts' })).toBeVisible();
  });

  await test.step('suspend, after changing one’s mind once', async () => {
    const suspend = page.getByRole('button', { name: 'Suspended' });
    const dialog = page.getByRole('alertdialog', { name: 'Change User Status' });
    await tabTo(page, suspend);
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(suspend).toBeFocused();
    await page.keyboard.press('Space');
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    // The focus goes round inside the dialog and nowhere else.
    await page.keyboard.press('Tab');
    await expect(dialog.getByRole('button', { name: 'Confirm' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(dialog.getByRole('textbox', { name: 'Reason (optional)' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Status changed to SUSPENDED')).toBeVisible();
    const read = await meridian.call(userGet, { params: { id: user.id } });
    expect(read.user.status).toBe('SUSPENDED');
  });

  await test.step('return to the list and log out', async () => {
    await tabTo(page, page.getByRole('link', { name: 'Back to Users' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${meridian.url}/users?status=ACTIVE`);
    await tabTo(page, page.getByRole('button', { name: /@admin/ }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Change Password' })).toBeFocused();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Admin Panel Login' })).toBeVisible();
  });

  await meridian.call(userUpdate, { params: { id: user.id }, body: { status: 'ACTIVE' } });
});

test('the Tab key follows the columns of a user as they are read', async ({ page, app }) => {
  const user = await app.rows.user();
  await app.open(`/users/${user.id}`);
  const stopsTo = async (name: string) => {
    await page.getByRole('link', { name: 'Back to Users' }).focus();
    return tabTo(page, page.getByRole('button', { name }));
  };
  for (const [width, first, second] of [
    [1440, 'Prohibit Upgrades', 'Restricted'],
    // The same document in another window: the order follows the columns.
    [360, 'Restricted', 'Prohibit Upgrades'],
    [1440, 'Prohibit Upgrades', 'Restricted'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    expect(await stopsTo(first), `at ${width} px`).toBeLessThan(await stopsTo(second));
  }
});

test('on a phone the Tab key brings the whole of each filter into view', async ({
  signedIn: page,
  meridian,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${meridian.url}/tickets`);
  const filters = page.getByRole('navigation', { name: 'Status' }).getByRole('button');
  await expect(filters).toHaveText([/^All \d/, /^Unused/, /^Active/, /^Expired/, /^Revoked/]);
  await filters.first().focus();
  for (const filter of await filters.all()) {
    await expect(filter).toBeFocused();
    await expect(filter).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Tab');
  }
});

test('the title of a link card does not cut off its focus ring', async ({ page, app }) => {
  const title = 'Markets, concerts and beaches of the harbour '.repeat(8);
  const embed = { external: { uri: 'https://guide.example.test/', title, description: '' } };
  await openStoredPost(page, app, { embed });
  const link = page.getByRole('article', { name: 'Link card' }).getByRole('link');
  await link.focus();
  await expect(link).toBeInViewport({ ratio: 1 });
});

test('going back by Shift+Tab, no stop is hidden behind the strip or the bar at the top', async ({
  page,
  app,
}) => {
  await app.rows.posts(20, {});
  await app.meridian.call(settingsUpdate, { body: { is_service_suspended: true } });
  await app.open('/posts');
  const strip = page.getByRole('complementary', { name: 'Service state' }).getByRole('paragraph');
  await expect(strip).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(21);
  for (const [width, height] of [
    [1440, 450],
    [360, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.getByRole('row').last().getByRole('link').last().focus();
    for (let stops = 0; stops < 60; stops += 1) {
      await page.keyboard.press('Shift+Tab');
      const edge = await strip.evaluate((element) => element.getBoundingClientRect().bottom);
      const stop = page.locator('main :focus');
      if ((await stop.count()) === 0) break;
      const top = await stop.evaluate((element) => element.getBoundingClientRect().top);
      expect(top, `stop ${stops} at ${width} px`).toBeGreaterThanOrEqual(edge);
    }
  }
});

test('in a low window the Tab key brings every link of the sidebar and the drawer into view', async ({
  page,
  app,
}) => {
  for (const [width, height] of [
    [1280, 500],
    [844, 390],
    [320, 256],
  ] as const) {
    await page.setViewportSize({ width, height });
    await app.open('/');
    if (width < 1024) await page.getByRole('button', { name: 'Menu' }).press('Enter');
    const side = width < 1024 ? page.getByRole('dialog') : page.getByRole('banner');
    await side.getByRole('link', { name: 'Meridian' }).focus();
    const stops = side.getByRole('link').or(side.getByRole('button'));
    for (const stop of (await stops.all()).slice(1)) {
      await page.keyboard.press('Tab');
      await expect(stop).toBeFocused();
      await expectUncovered(stop);
    }
    for (const stop of (await stops.all()).slice(0, -1).toReversed()) {
      await page.keyboard.press('Shift+Tab');
      await expect(stop).toBeFocused();
      await expectUncovered(stop);
    }
  }
});

/** A press on any corner hits it. */
async function expectUncovered(stop: Locator) {
  await expect(stop).toBeInViewport({ ratio: 1 });
  const isCovered = await stop.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const corners = [left + 8, right - 8].flatMap((x) => [top + 2, bottom - 2].map((y) => [x, y]));
    return corners.some(([x = 0, y = 0]) => !element.contains(document.elementFromPoint(x, y)));
  });
  expect(isCovered).toBe(false);
}

test('the command palette is there before it is asked for', async ({ page, context, app }) => {
  const loaded = page.waitForResponse(/\/CommandPalette-.*\.js$/);
  await app.open('/users');
  await (await loaded).finished();
  // While it loads, what is typed would be lost.
  await context.setOffline(true);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Find anything' })).toBeFocused();
});

test('every part of a post is read in its language, a missing title is not', async ({
  page,
  app,
}) => {
  const external = { uri: 'https://mer.example.test/', title: 'La mer', description: 'Les marées' };
  const images = [
    { url: 'https://pictures.example.test/port', alt: 'Le port' },
    { alt: 'La digue' },
  ];
  await openStoredPost(page, app, {
    content: 'Au bord de la mer',
    languages: ['fr', 'oc'],
    embed: { images: [...images, { alt: '' }], external },
  });
  await expect(page.locator('p[lang=fr]')).toHaveText('Au bord de la mer');
  // Each alternative text stands in place of its picture, and below it.
  await expect(page.locator('[lang]:not(html)')).toHaveText([
    'Au bord de la mer',
    'Le port',
    'Le port',
    'La digue',
    'La digue',
    'La mer',
    'Les marées',
  ]);
  await openStoredPost(page, app, {
    content: 'Sans titre',
    languages: ['fr'],
    embed: { external: { ...external, title: '', description: '' } },
  });
  await expect(page.getByRole('heading', { name: 'No title' })).toBeVisible();
  await expect(page.locator('[lang]:not(html)')).toHaveText(['Sans titre']);
});
