import {
  currencyList,
  planList,
  postList,
  statsGet,
  ticketList,
  userGet,
  userList,
} from '@meridian/contract';
import type { Page } from '@playwright/test';
import { expectAccessibleInEveryLook, expectAccessibleInTwoLooks } from './support/looks.ts';
import type { Meridian } from './support/meridian.ts';
import { navigate } from './support/navigate.ts';
import { findSampleIds } from './support/screens.ts';
import { expect, expectAccessible, test } from './support/test.ts';

/** Several looks, the first of them by some hundred rules. */
const FOUR_LOOKS_MS = 180_000;
const PHONE = { width: 360, height: 740 };

async function openUserOf(page: Page, meridian: Meridian) {
  const { userId } = await findSampleIds(meridian);
  await page.goto(`${meridian.url}/users/${userId}`);
  await expect(page.getByRole('region', { name: 'Recent Posts' })).toBeVisible();
}

test('Not found, light and dark, at 1440 and 360 px', async ({ signedIn: page, meridian }) => {
  test.setTimeout(FOUR_LOOKS_MS);
  await page.goto(`${meridian.url}/no-such-page`);
  await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible();
  await expectAccessibleInEveryLook(page);
});

test('a link in a list is at least 24 px high', async ({ signedIn: page, meridian }) => {
  for (const [path, name] of [
    ['/users', /^View Details/],
    ['/tickets', /^(?:[2-9A-Z]{4}-?){4}$/],
  ] as const) {
    await page.goto(`${meridian.url}${path}`);
    const links = page.getByRole('main').getByRole('link', { name });
    await expect(links.first()).toBeVisible();
    const heights = await links.evaluateAll((all) =>
      all.map((link) => link.getBoundingClientRect().height),
    );
    expect(heights.length).toBeGreaterThan(5);
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(24);
  }
});

test.describe('what opens above a screen:', () => {
  test.setTimeout(FOUR_LOOKS_MS);

  test('a dialog that asks, and one that failed', async ({ signedIn: page, meridian }) => {
    await openUserOf(page, meridian);
    await page.route('**/api/admin/users/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
    await page.getByRole('button', { name: 'Blocked' }).click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog).toBeVisible();
    await expectAccessibleInTwoLooks(page);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Failed to update user status');
    await expectAccessibleInTwoLooks(page);
  });

  test('the profile menu', async ({ signedIn: page, meridian }) => {
    await page.goto(meridian.url);
    await page.getByRole('button', { name: /@admin/ }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expectAccessible(page);
    }
  });

  test('the drawer, and the profile menu in it', async ({ signedIn: page, meridian }) => {
    await page.setViewportSize(PHONE);
    await page.goto(meridian.url);
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expectAccessible(page);
    }
    await page.getByRole('button', { name: /@admin/ }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await expectAccessible(page);
  });

  test('a tooltip and a message', async ({ page, app }) => {
    const user = await app.rows.user();
    await app.open(`/users/${user.id}`);
    await page.getByRole('time').first().focus();
    await expect(page.getByRole('tooltip')).toBeVisible();
    await expectAccessibleInTwoLooks(page);

    await page.getByRole('button', { name: 'Restricted' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
    // Under the pointer it stays for as long as it is read.
    await page.getByText('Status changed to RESTRICTED').hover();
    await expectAccessible(page);
  });
});

test.describe('every state of a screen:', () => {
  test.setTimeout(FOUR_LOOKS_MS);

  test('loading', async ({ page, app }) => {
    const user = await app.rows.user();
    const reads = [statsGet, userList, userGet, postList, ticketList, planList, currencyList];
    for (const endpoint of reads) await app.hold(endpoint);
    await app.open('/');
    // Inside the page: before the shell is there, the first screen says that it is loading too.
    const main = page.getByRole('main');
    await expect(main.locator('[aria-busy="true"]')).toBeVisible();
    await expectAccessibleInTwoLooks(page);
    for (const path of [
      '/users',
      `/users/${user.id}`,
      '/posts',
      '/tickets',
      '/plans',
      '/settings',
    ]) {
      await navigate(page, path);
      await expect(main.getByText(/^Loading( tickets)?\.\.\.$/)).toBeVisible();
      await expectAccessibleInTwoLooks(page);
    }
  });

  test('empty', async ({ page, app }) => {
    await app.open('/users?status=ACTIVE');
    await expect(page.getByText('No users found')).toBeVisible();
    await expectAccessibleInTwoLooks(page);
  });

  test('refused: a form and its fields', async ({ page, app }) => {
    await app.open('/password');
    await page.getByRole('main').getByRole('button', { name: 'Change Password' }).click();
    await expect(page.getByText('Current password is required')).toBeVisible();
    await expectAccessibleInTwoLooks(page);
  });

  test('full of awkward words', async ({ page, app }) => {
    for (const fields of [
      { display_name: 'نور الدين', status: 'RESTRICTED' },
      { display_name: '三上ミカ 🌸', status: 'BLOCKED' },
      { display_name: 'Wilhelmina '.repeat(6), status: 'SUSPENDED' },
      { display_name: null, handle: `${'very-long-'.repeat(9)}.example` },
    ] as const) {
      const content = `${fields.display_name} `.repeat(20);
      await app.rows.post({ user: fields, content, status: 'FAILED', error_msg: content });
    }
    for (const path of ['/users', '/posts']) {
      await app.open(path);
      await expect(page.getByRole('row')).toHaveCount(5);
      await expectAccessibleInTwoLooks(page);
    }
  });
});
