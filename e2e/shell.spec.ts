import { statsGet, userGet, userList } from '@meridian/contract';
import type { Locator } from '@playwright/test';
import { gate } from './support/gate.ts';
import { sampleUser } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

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

test.describe('the sidebar', () => {
  test('holds the six links in order', async ({ page, standIn }) => {
    await visit(page, standIn, '/');
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await expect(links).toHaveText(LINKS.map(([label]) => label));
    for (const [index, [, href]] of LINKS.entries()) {
      await expect(links.nth(index)).toHaveAttribute('href', href);
    }
  });

  for (const [path, current] of [
    ['/', 'Dashboard'],
    ['/users', 'Users'],
    ['/users/some-user', 'Users'],
    ['/posts?status=FAILED', 'Posts'],
    ['/posts/some-post', 'Posts'],
    ['/tickets/issue', 'Tickets'],
    ['/plans/create', 'Plans'],
    ['/settings/currencies/create', 'Service Settings'],
  ] as const) {
    test(`marks ${current} at ${path}`, async ({ page, standIn }) => {
      await visit(page, standIn, path);
      const nav = page.getByRole('navigation', { name: 'Main' });
      await expect(nav.getByRole('link', { name: current })).toHaveAttribute(
        'aria-current',
        'page',
      );
      await expect(nav.locator('[aria-current]')).toHaveCount(1);
    });
  }

  test('marks nothing where no link leads', async ({ page, standIn }) => {
    await visit(page, standIn, '/password');
    await expect(page.getByRole('heading', { name: 'Change Password' })).toBeVisible();
    await expect(page.locator('[aria-current]')).toHaveCount(0);
  });

  test('leads to each page without loading the console anew', async ({ page, standIn }) => {
    await visit(page, standIn, '/');
    await page.evaluate(() => document.documentElement.setAttribute('data-same', 'yes'));
    for (const [label, href] of [...LINKS.slice(1), LINKS[0]]) {
      await page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name: label })
        .click();
      await expect(page).toHaveURL(`${standIn.url}${href}`);
      // The reader's place is the new page's heading.
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    }
    await expect(page.locator('html')).toHaveAttribute('data-same', 'yes');
  });
});

test('the sidebar stands on the left, the profile menu at its bottom, the initial in a circle', async ({
  page,
  standIn,
}) => {
  await visit(page, standIn, '/');
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
  test('shows initial, name and @username, and offers password, theme and logout', async ({
    page,
    standIn,
  }) => {
    await visit(page, standIn, '/');
    const button = page.getByRole('button', { name: 'Ana Okafor @ana' });
    await expect(button.getByText('A', { exact: true })).toBeVisible();
    await button.click();
    const menu = page.getByRole('menu');
    await expect(menu.getByRole('menuitem')).toHaveText(['Change Password', 'Logout']);
    await expect(menu.getByRole('group', { name: 'Theme' }).getByRole('menuitemradio')).toHaveText([
      'System',
      'Light',
      'Dark',
    ]);
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(button).toBeFocused();

    await button.click();
    await menu.getByRole('menuitem', { name: 'Change Password' }).click();
    await expect(page).toHaveURL(`${standIn.url}/password`);
    await expect(menu).toBeHidden();
  });

  test('shows the user name where there is no display name', async ({ page, standIn }) => {
    await visit(page, standIn, '/', { username: 'émile', displayName: null });
    const button = page.getByRole('button', { name: 'émile @émile' });
    await expect(button.getByText('É', { exact: true })).toBeVisible();
  });

  test('is walked with the arrow keys', async ({ page, standIn }) => {
    await visit(page, standIn, '/');
    await page.getByRole('button', { name: /@ana/ }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Change Password' })).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeFocused();
  });

  test('a chosen theme holds at once, in the other tab, and after a reload', async ({
    page,
    context,
    standIn,
  }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await visit(page, standIn, '/');
    const isDark = () =>
      page.evaluate(() => getComputedStyle(document.body).backgroundColor === 'rgb(13, 16, 21)');
    await page.getByRole('button', { name: /@ana/ }).click();
    await expect(page.getByRole('menuitemradio', { checked: true })).toHaveText('System');
    expect(await isDark()).toBe(false);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(isDark).toBe(true);

    await page.getByRole('menuitemradio', { name: 'Light' }).click();
    await expect.poll(isDark).toBe(false);
    const other = await context.newPage();
    await other.goto(`${standIn.url}/password`);
    await expect(other.locator('html')).toHaveAttribute('data-theme', 'light');
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark');

    await page.emulateMedia({ colorScheme: 'light' });
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await isDark()).toBe(true);
    await page.getByRole('button', { name: /@ana/ }).click();
    await expect(page.getByRole('menuitemradio', { checked: true })).toHaveText('Dark');
    await page.getByRole('menuitemradio', { name: 'System' }).click();
    await expect.poll(isDark).toBe(false);
  });
});

test('the first Tab offers to skip the navigation', async ({ page, standIn }) => {
  await visit(page, standIn, '/users');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page).toHaveURL(`${standIn.url}/users`);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('combobox', { name: 'Status' })).toBeFocused();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('no line under the top bar ends at the room of the scrollbar', async ({
    signedIn: page,
  }) => {
    const bar = page
      .getByRole('banner')
      .filter({ has: page.getByRole('button', { name: 'Menu' }) });
    await expect(bar).toHaveCSS('border-bottom-width', '0px');
  });

  test('the sidebar is a drawer behind a menu button', async ({ page, standIn }) => {
    await visit(page, standIn, '/');
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
    const button = page.getByRole('button', { name: 'Menu' });
    await button.click();
    const drawer = page.getByRole('dialog', { name: 'Menu' });
    await expect(drawer.getByRole('navigation').getByRole('link')).toHaveText(
      LINKS.map(([label]) => label),
    );
    await expect(drawer.getByRole('button', { name: /@ana/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
    await expect(button).toBeFocused();

    await button.click();
    await drawer.getByRole('link', { name: 'Users' }).click();
    await expect(page).toHaveURL(`${standIn.url}/users`);
    await expect(drawer).toBeHidden();

    await button.click();
    await expect(drawer).toBeVisible();
    // Beside the drawer, and short of the room kept for a scrollbar.
    await page.mouse.click(320, 400);
    await expect(drawer).toBeHidden();
  });

  test('the drawer does not lie over the page that Back leads to', async ({ page, standIn }) => {
    await visit(page, standIn, '/password');
    const button = page.getByRole('button', { name: 'Menu' });
    await button.click();
    const drawer = page.getByRole('dialog', { name: 'Menu' });
    await drawer.getByRole('link', { name: 'Users' }).click();
    await expect(page).toHaveURL(`${standIn.url}/users`);
    await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
    await button.click();
    await expect(drawer).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(`${standIn.url}/password`);
    await expect(drawer).toBeHidden();
  });

  test('the profile menu works inside the drawer', async ({ page, standIn }) => {
    await visit(page, standIn, '/users');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: /@ana/ }).click();
    await page.getByRole('menuitem', { name: 'Change Password' }).click();
    await expect(page).toHaveURL(`${standIn.url}/password`);
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeHidden();
  });
});

test('a page that is pressed answers at once, while its data is still on the way', async ({
  page,
  standIn,
}) => {
  const never = gate();
  standIn
    .on(statsGet, { body: {}, until: never.opened })
    .on(userList, { body: {}, until: never.opened });
  await visit(page, standIn, '/');
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
  await expect(page.getByRole('status').getByText('Loading...')).toBeVisible();
});

test('the room of a scrollbar is kept behind dialogs, not beside the login card', async ({
  page,
  standIn,
}) => {
  await page.goto(`${standIn.url}/login`);
  await expect(page.getByRole('heading', { name: 'Admin Panel Login' })).toBeVisible();
  await expect(page.locator('html')).toHaveCSS('scrollbar-gutter', 'auto');
  await visit(page, standIn, '/password');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('html')).toHaveCSS('scrollbar-gutter', 'stable');
});

test('nothing moves where reduced motion is asked for', async ({ page, standIn }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  standIn.on(userGet, { body: { user: sampleUser() } });
  await visit(page, standIn, '/users/some-user');
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
