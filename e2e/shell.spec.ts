import { statsGet, userList } from '@meridian/contract';
import type { Locator } from '@playwright/test';
import { navigate } from './support/navigate.ts';
import { expect, rememberToken, test } from './support/test.ts';

const LINKS = [
  ['Dashboard', '/'],
  ['Users', '/users'],
  ['Posts', '/posts'],
  ['Tickets', '/tickets'],
  ['Plans', '/plans'],
  ['Service Settings', '/settings'],
] as const;

const boxOf = async (part: Locator) =>
  (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };

/** No other link has the color of the current one. */
async function isToldByColor(links: Locator): Promise<boolean> {
  const looks = await links.evaluateAll((all) =>
    all.map((one) => [one.hasAttribute('aria-current'), getComputedStyle(one).color]),
  );
  const colorsOf = (isCurrent: boolean) =>
    new Set(looks.filter(([current]) => current === isCurrent).map(([, color]) => color));
  return [...colorsOf(true)].every((color) => !colorsOf(false).has(color));
}

// Proves 2.22, 2.23
test('the sidebar holds the six links in order, and marks the current one', async ({
  page,
  app,
}) => {
  await app.open('/');
  const nav = page.getByRole('navigation', { name: 'Main' });
  const links = nav.getByRole('link');
  await expect(links).toHaveText(LINKS.map(([label]) => label));
  for (const [index, [, href]] of LINKS.entries()) {
    await expect(links.nth(index)).toHaveAttribute('href', href);
  }
  for (const [path, current] of [
    ['/users', 'Users'],
    ['/users/some-user', 'Users'],
    ['/posts?status=FAILED', 'Posts'],
    ['/posts/some-post', 'Posts'],
    ['/tickets/issue', 'Tickets'],
    ['/plans/create', 'Plans'],
    ['/settings/currencies/create', 'Service Settings'],
    ['/', 'Dashboard'],
  ] as const) {
    await navigate(page, path);
    const link = nav.getByRole('link', { name: current });
    await expect(link, path).toHaveAttribute('aria-current', 'page');
    await expect(nav.locator('[aria-current]'), path).toHaveCount(1);
    // To be seen, not only to be heard. The colors change within a moment.
    await expect.poll(() => isToldByColor(links), path).toBe(true);
  }
  // No link leads to this page, so none is marked.
  await navigate(page, '/password');
  await expect(page.getByRole('heading', { name: 'Change Password' })).toBeVisible();
  await expect(page.locator('[aria-current]')).toHaveCount(0);
});

test('the sidebar leads to each page without loading the console anew', async ({ page, app }) => {
  await app.open('/');
  await page.evaluate(() => document.documentElement.setAttribute('data-same', 'yes'));
  for (const [label, href] of [...LINKS.slice(1), LINKS[0]]) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: label }).click();
    await expect(page).toHaveURL(`${app.url}${href}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  }
  await expect(page.locator('html')).toHaveAttribute('data-same', 'yes');
});

// Proves 2.24
test('the sidebar is on the left, the profile menu at its bottom, the initial in a circle', async ({
  page,
  visitor,
}) => {
  await visitor.signInAs('ana', 'Ana Okafor');
  await visitor.open('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const sidebar = await boxOf(page.getByRole('banner'));
  const main = await boxOf(page.getByRole('main'));
  const links = await boxOf(page.getByRole('navigation', { name: 'Main' }).getByRole('list'));
  const profile = page.getByRole('button', { name: 'Ana Okafor @ana' });
  const menu = await boxOf(profile);
  expect([sidebar.x, sidebar.y, sidebar.width, sidebar.height]).toEqual([0, 0, 240, 900]);
  expect(main.x).toBeGreaterThanOrEqual(sidebar.width);
  expect(menu.x + menu.width).toBeLessThanOrEqual(sidebar.width);
  expect(menu.y).toBeGreaterThan(links.y + links.height);
  expect(sidebar.height - menu.y - menu.height).toBeLessThan(20);
  const circle = profile.locator('> :first-child');
  await expect(circle).toHaveText('A');
  const { width, height } = await boxOf(circle);
  expect(width).toBe(height);
  const radius = await circle.evaluate((round) => parseFloat(getComputedStyle(round).borderRadius));
  expect(radius).toBeGreaterThanOrEqual(width / 2);
});

test.describe('the profile menu', () => {
  // Proves 2.25, 2.26
  test('shows initial, name and @username, and offers password, theme and logout', async ({
    page,
    visitor,
  }) => {
    await visitor.signInAs('ana', 'Ana Okafor');
    await visitor.open('/');
    const button = page.getByRole('button', { name: 'Ana Okafor @ana' });
    await expect(button.getByText('A', { exact: true })).toBeVisible();
    await button.click();
    const menu = page.getByRole('menu');
    await expect(menu.getByRole('menuitem')).toHaveText([
      'Change Password',
      'Single-key shortcuts: on',
      'Logout',
    ]);
    await expect(menu.getByRole('group', { name: 'Theme' }).getByRole('menuitemradio')).toHaveText([
      'System',
      'Light',
      'Dark',
    ]);
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(button).toBeFocused();

    // The arrow keys move through the items and around their ends.
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Change Password' })).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeFocused();

    await menu.getByRole('menuitem', { name: 'Change Password' }).click();
    await expect(page).toHaveURL(`${visitor.url}/password`);
    await expect(menu).toBeHidden();
  });

  // Proves 2.25
  test('shows the user name where there is no display name', async ({ page, visitor }) => {
    await visitor.signInAs('émile', null);
    await visitor.open('/');
    const button = page.getByRole('button', { name: 'émile @émile' });
    await expect(button.getByText('É', { exact: true })).toBeVisible();
  });

  test('a chosen theme holds at once, in the other tab, and after a reload', async ({
    page,
    context,
    app,
  }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await app.open('/');
    const isDark = () =>
      page.evaluate(() => getComputedStyle(document.body).backgroundColor === 'rgb(13, 16, 21)');
    await page.getByRole('button', { name: /@admin/ }).click();
    await expect(page.getByRole('menuitemradio', { checked: true })).toHaveText('System');
    expect(await isDark()).toBe(false);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(isDark).toBe(true);

    await page.getByRole('menuitemradio', { name: 'Light' }).click();
    await expect.poll(isDark).toBe(false);
    const other = await context.newPage();
    await other.goto(`${app.url}/password`);
    await expect(other.locator('html')).toHaveAttribute('data-theme', 'light');
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark');

    await page.emulateMedia({ colorScheme: 'light' });
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await isDark()).toBe(true);
    await page.getByRole('button', { name: /@admin/ }).click();
    await expect(page.getByRole('menuitemradio', { checked: true })).toHaveText('Dark');
    await page.getByRole('menuitemradio', { name: 'System' }).click();
    await expect.poll(isDark).toBe(false);
  });
});

test('the first Tab offers to skip the navigation', async ({ page, app }) => {
  await app.open('/users');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page).toHaveURL(`${app.url}/users`);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('combobox', { name: 'Status' })).toBeFocused();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('the sidebar is a drawer behind a menu button', async ({ page, app }) => {
    await app.open('/');
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
    // A line under the top bar would end at the space of the scrollbar.
    const bar = page
      .getByRole('banner')
      .filter({ has: page.getByRole('button', { name: 'Menu' }) });
    await expect(bar).toHaveCSS('border-bottom-width', '0px');
    const button = page.getByRole('button', { name: 'Menu' });
    await button.click();
    const drawer = page.getByRole('dialog', { name: 'Menu' });
    const linksOf = (name: string) => drawer.getByRole('navigation', { name }).getByRole('link');
    await expect(linksOf('Main')).toHaveText(LINKS.map(([label]) => label));
    await expect(linksOf('Operations')).toHaveText(['Engine', 'Failures', 'Audit Log', 'Jobs']);
    await expect(drawer.getByRole('button', { name: /@admin/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
    await expect(button).toBeFocused();

    await button.click();
    await drawer.getByRole('link', { name: 'Users' }).click();
    await expect(page).toHaveURL(`${app.url}/users`);
    await expect(drawer).toBeHidden();

    await button.click();
    await expect(drawer).toBeVisible();
    // Beside the drawer, and short of the room kept for a scrollbar.
    await page.mouse.click(320, 400);
    await expect(drawer).toBeHidden();
  });

  test('the drawer closes on Back, and the profile menu works inside it', async ({ page, app }) => {
    await app.open('/password');
    const button = page.getByRole('button', { name: 'Menu' });
    await button.click();
    const drawer = page.getByRole('dialog', { name: 'Menu' });
    await drawer.getByRole('link', { name: 'Users' }).click();
    await expect(page).toHaveURL(`${app.url}/users`);
    await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
    await button.click();
    await expect(drawer).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(`${app.url}/password`);
    await expect(drawer).toBeHidden();

    await page.goForward();
    await expect(page).toHaveURL(`${app.url}/users`);
    await button.click();
    await page.getByRole('button', { name: /@admin/ }).click();
    await page.getByRole('menuitem', { name: 'Change Password' }).click();
    await expect(page).toHaveURL(`${app.url}/password`);
    await expect(drawer).toBeHidden();
  });
});

test('a link opens its page at once, while the data is still on the way', async ({ page, app }) => {
  await app.hold(statsGet);
  await app.hold(userList);
  await app.open('/');
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
  await expect(page.getByRole('status').getByText('Loading...')).toBeVisible();
});

test('the space of a scrollbar is kept behind dialogs, not beside the login card', async ({
  page,
  visitor,
}) => {
  await visitor.open('/login');
  await expect(page.getByRole('heading', { name: 'Admin Panel Login' })).toBeVisible();
  await expect(page.locator('html')).toHaveCSS('scrollbar-gutter', 'auto');
  await rememberToken(page, await visitor.meridian.token());
  await visitor.open('/password');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('html')).toHaveCSS('scrollbar-gutter', 'stable');
});

test('nothing moves where reduced motion is asked for', async ({ page, app }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const user = await app.rows.user();
  await app.open(`/users/${user.id}`);
  await page.getByRole('button', { name: 'Blocked' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  const moving = await page.evaluate(() => {
    const parts = [...document.querySelectorAll('*')].flatMap((element) =>
      ['', '::before', '::after', '::backdrop'].map((part) => getComputedStyle(element, part)),
    );
    return parts.filter(({ transitionDuration, transitionProperty }) => {
      const isTimed = transitionDuration.split(',').some((time) => parseFloat(time) > 0);
      return isTimed && transitionProperty !== 'none';
    }).length;
  });
  expect(moving).toBe(0);
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});
