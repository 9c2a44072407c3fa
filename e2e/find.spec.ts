import { readFile } from 'node:fs/promises';
import { findGet, postExport, postList, userList } from '@meridian/contract';
import type { Locator, Page } from '@playwright/test';
import { expectNoSidewaysScroll } from './support/layout.ts';
import { timed } from './support/screen-times.ts';
import { AMONG_MANY } from './support/story-posts.ts';
import { expect, expectAccessible, expectLayoutAccessible, test } from './support/test.ts';

const chips = (page: Page) => page.getByRole('list', { name: 'Filters in force' });
const palette = (page: Page) => page.getByRole('dialog', { name: 'Find anything' });
const WIDTHS = [1440, 768, 360];

async function middleOf(part: Locator): Promise<number> {
  const { y, height } = (await part.boundingBox()) ?? { y: NaN, height: 0 };
  return y + height / 2;
}

async function expectFits(page: Page): Promise<void> {
  await expectAccessible(page);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
  }
  await expectLayoutAccessible(page);
}

test('filters that came by address are chips, removable by keyboard; further ones are a button away', async ({
  page,
  app,
}) => {
  const user = await app.rows.user({ handle: 'harbour.example' });
  const late = await app.rows.post({ content: 'Too late for this', status: 'FAILED', user });
  await app.rows.engine.settle(late, 'FAILED', 'too_late');
  const held = await app.rows.post({ content: 'Waits for its user', user });
  await app.rows.engine.hold(held, 'user_off');
  await app.rows.posts(3);

  await app.open(`/posts?userId=${user.id}&cause=too_late&status=FAILED`);
  await expect(page.getByRole('link', { name: 'Too late for this' })).toBeVisible();
  await expect(page.getByText('1 post', { exact: true })).toBeVisible();
  await expect(chips(page).getByRole('listitem')).toHaveText([
    'User: @harbour.example',
    'Cause: too late',
  ]);
  await chips(page).getByRole('button', { name: 'Remove filter Cause: too late' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${app.url}/posts?userId=${user.id}&status=FAILED`);
  await expect(page.getByRole('button', { name: /^Remove filter User/u })).toBeFocused();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('All Statuses');
  await expect(page.getByText('2 posts', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'More filters' }).click();
  await expect(page.getByRole('combobox', { name: 'On hold' })).toBeVisible();
  const status = page.getByRole('combobox', { name: 'Status' });
  expect(
    Math.abs(
      (await middleOf(page.getByRole('button', { name: 'Export' }))) - (await middleOf(status)),
    ),
  ).toBeLessThan(12);
  await page.getByRole('combobox', { name: 'On hold' }).selectOption('On hold: user off');
  await expect(page.getByRole('link', { name: 'Waits for its user' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Text' }).fill('WAITS for');
  await expect(page).toHaveURL(/text=WAITS\+for/u);
  // It said so before: not to be examined dimmed, as the old page is.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect(page.getByRole('table')).not.toHaveAttribute('aria-busy', 'true');
  await expect(page.getByText('1 post', { exact: true })).toBeVisible();
  await expectFits(page);
  // Without the user the search in texts would be refused: it ends with its bounds.
  await chips(page)
    .getByRole('button', { name: /^Remove filter User/u })
    .click();
  await expect(chips(page).getByRole('listitem')).toHaveText(['On hold: user off']);
  await expect(page.getByRole('searchbox', { name: 'Text' })).toBeDisabled();
  await page.getByRole('textbox', { name: 'Scheduled from' }).fill('2098-01-01');
  await expect(page.getByText('No posts found')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByText('5 posts', { exact: true })).toBeVisible();
  expect(app.addressesOf(postList).filter((address) => address.includes('cause'))).toEqual([
    `/api/admin/posts?limit=20&status=FAILED&sort=scheduled_at&order=desc&userId=${user.id}&cause=too_late`,
  ]);
});

test('users are searched by any name, and a status that the filter does not offer is a chip', async ({
  page,
  app,
  catalogue,
}) => {
  await app.rows.user({ display_name: 'Quay Bakery', status: 'RESTRICTED' });
  await app.rows.users(3);
  await app.open('/users?status=RESTRICTED');
  await expect(page.getByText('1 user', { exact: true })).toBeVisible();
  await expect(chips(page).getByRole('listitem')).toHaveText(['Status: Restricted']);
  const status = page.getByRole('combobox', { name: 'Status' }).locator('option:checked');
  await expect(status).toHaveText('Status');
  await page.getByRole('button', { name: 'Remove filter Status: Restricted' }).click();
  await expect(status).toHaveText('All Statuses');
  await expect(page.getByText('4 users', { exact: true })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Handle, DID or name' }).fill('bakery');
  await expect(page.getByText('1 user', { exact: true })).toBeVisible();
  expect(app.callsTo(userList).at(-1)?.url).toBe('/api/admin/users?limit=20&search=bakery');

  await catalogue.tickets([{ memo: 'For the spring campaign' }, { memo: null }]);
  await app.open('/tickets');
  await expect(page.getByRole('cell', { name: 'For the spring campaign' })).toBeVisible();
  await expectFits(page);
});

test(
  'a list is saved as a file with its filters; one that is stopped or breaks is not',
  AMONG_MANY,
  async ({ page, app }) => {
    await app.rows.post({ content: '=1+1', user: { display_name: 'Quay, "Bakery"' } });
    await app.rows.posts(30, { content: 'Other post' });
    await timed('Export: posts of the people found', async () => {
      await app.open('/posts?userFilter=fixture');
      await expect(page.getByRole('row')).toHaveCount(21);
    });
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'CSV for spreadsheets' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^meridian-posts-\d{4}-\d\d-\d\d\.csv$/u);
    const text = await readFile(await file.path(), 'utf8');
    expect(text).toMatch(/^\uFEFFid,/u);
    expect(text).toContain(`"Quay, ""Bakery"""`);
    expect(text).toContain(`"'=1+1"`);
    expect(text.split('\r\n')).toHaveLength(33);
    expect(app.callsTo(postExport).map(({ url }) => url)).toEqual([
      '/api/admin/posts/export?userFilter=fixture&format=csv',
    ]);

    const saved: string[] = [];
    page.on('download', (next) => saved.push(next.suggestedFilename()));
    const held = await app.hold(postExport);
    await page.getByRole('button', { name: 'Export' }).press('Enter');
    await page.getByRole('menuitem', { name: /^JSON/u }).press('Enter');
    await expect(page.getByText('Exported 0 of 31')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Stop' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Export' })).toBeFocused();
    held.release();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.route('**/posts/export?**', (route) => route.abort('connectionreset'));
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: /^JSON/u }).click();
    await expect(page.getByRole('alert')).toHaveText('The export failed. No file was saved');
    expect(saved).toEqual([]);
  },
);

test(
  'the command palette lands on what is pasted, and knows pages, actions and recent things',
  AMONG_MANY,
  async ({ page, app }) => {
    const post = await app.rows.post({
      content: 'A post to be found',
      status: 'COMPLETED',
      at_rkey: '3kfound',
      user: { handle: 'harbour.example', display_name: 'Harbour Lights' },
    });
    await app.open('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Find anything' })).toBeFocused();
    await expectNamed(page, page.getByRole('option').first());
    await page.keyboard.type('https://bsky.app/profile/harbour.example/post/3kfound');
    const found = page.getByRole('option', { name: /A post to be found/u });
    await expect(found).toHaveAttribute('aria-selected', 'true');
    await expect(found).toHaveCSS('outline', /solid 2px$/u);
    await expectNamed(page, found);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${app.url}/posts/${post.id}`);
    await expect(palette(page)).toHaveCount(0);
    // A recent thing is remembered by what it shows, so it has to be there.
    await expect(page.getByText('A post to be found').first()).toBeVisible();

    await page.keyboard.press('Control+k');
    await expect(page.getByRole('option', { name: /A post to be found/u })).toBeVisible();
    await expectFits(page);
    await page.keyboard.type('no such thing');
    await expect(page.getByRole('option', { name: 'Nothing found' })).toBeDisabled();
    await expect(palette(page).getByRole('status')).toHaveText('No results');
    await expectAccessible(page);
    await page.getByRole('combobox', { name: 'Find anything' }).fill('@harbour');
    await page.getByRole('option', { name: /Harbour Lights/u }).click();
    await expect(page).toHaveURL(`${app.url}/users/${post.user_id}`);

    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Find anything' }).click();
    await page.keyboard.type('issue');
    await expect(page.getByRole('option', { name: 'Issue New Ticket' })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    await page.keyboard.press('Escape');
    await expect(palette(page)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Find anything' })).toBeFocused();
    expect(app.callsTo(findGet).length).toBeGreaterThan(0);
  },
);

/** To a screen reader, which follows the chosen line while the focus stays in the field. */
async function expectNamed(page: Page, option: Locator) {
  const id = (await option.getAttribute('id')) ?? '';
  const field = page.getByRole('combobox', { name: 'Find anything' });
  await expect(field).toHaveAttribute('aria-activedescendant', id);
}

test(
  'from a post of a list k and j lead to its neighbours, over the end of a page',
  AMONG_MANY,
  async ({ page, app }) => {
    const user = await app.rows.posts(22, { status: 'FAILED' });
    await app.open(`/posts?userId=${user.id}&status=FAILED`);
    await page.getByRole('link', { name: 'Post number 19', exact: true }).click();
    const next = page.getByRole('button', { name: 'Next in the list' });
    const shown = (text: string) => page.getByRole('main').getByText(text, { exact: true });
    await expect(next).toBeEnabled();
    await page.keyboard.press('j');
    await expect(shown('Post number 20')).toBeVisible();
    await expect(next).toBeEnabled();
    await next.click();
    await expect(shown('Post number 21')).toBeVisible();
    await page.keyboard.press('k');
    await expect(shown('Post number 20')).toBeVisible();
    await page.getByRole('link', { name: 'Back to Posts' }).click();
    await expect(page).toHaveURL(`${app.url}/posts?userId=${user.id}&status=FAILED`);

    // Opened from nowhere, there is no list to go along.
    await page.getByRole('link', { name: 'Post number 1', exact: true }).click();
    await expect(next).toBeVisible();
    await page.reload();
    await expect(shown('Post number 1')).toBeVisible();
    await expect(next).toHaveCount(0);
  },
);

test('the palette says that it searches until it has searched, and then how much it found', async ({
  page,
  app,
}) => {
  await app.rows.user({ handle: 'harbour.example' });
  await app.open('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Find anything' })).toBeFocused();
  const said = await palette(page).evaluateHandle((dialog) => {
    const words: string[] = [];
    new MutationObserver(() => words.push(dialog.textContent)).observe(dialog, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    return words;
  });
  await page.keyboard.type('harbour');
  await expect(palette(page).getByRole('status')).toHaveText('1 result');
  const words = (await said.jsonValue()).join(' ');
  expect(words).toContain('Searching...');
  expect(words).not.toMatch(/Nothing found|No results/u);
});
