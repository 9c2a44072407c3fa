import { expectNoSidewaysScroll } from './support/layout.ts';
import { openStoredPost, previewOf, wordsOf } from './support/post-page.ts';
import { expect, expectAccessible, test } from './support/test.ts';

/** Characters that hide, turn, climb or do not end, in everything that a post brings. */

const word = (length: number) => 'x'.repeat(length);

const link = (byteStart: number, byteEnd: number, uri: string) => ({
  index: { byteStart, byteEnd },
  features: [{ $type: 'app.bsky.richtext.facet#link', uri }],
});

test('hidden characters in the text of a post are marked, linked or not', async ({ page, app }) => {
  await openStoredPost(page, app, {
    content: `Invoice\u202efdp.exe and ${'\u200b'.repeat(300)} more`,
    embed: { images: [{ alt: 'A\u2066b' }] },
    languages: ['e\u200bn'],
  });
  await expect(previewOf(page).getByText('301 hidden characters')).toBeVisible();
  // The alternative text, in its box and below it; the language.
  const single = previewOf(page).getByText('1 hidden character', { exact: true });
  await expect(single.filter({ visible: true })).toHaveCount(3);
  await app.open('/posts');
  const text = page.getByRole('link', { name: /^Invoice ?fdp\.exe/ });
  await expect(text).toContainText(/\d+ hidden characters/);
  await expect(page.getByRole('main')).not.toContainText('\u202e');
});

test('marks stacked on a letter stay in their line, in list and detail', async ({ page, app }) => {
  const zalgo = `Z${'\u030d'.repeat(60)}a${'\u0316'.repeat(60)}lgo`;
  await openStoredPost(page, app, { content: zalgo, error_msg: zalgo, status: 'FAILED' });
  const words = previewOf(page).getByRole('paragraph').first();
  await expect(words).toHaveCSS('overflow', 'clip');
  const named = previewOf(page).getByRole('list', { name: 'Not shown' });
  await expect(named).toHaveText('104 combining marks not shown');
  await expect(page.getByText('1 problem', { exact: true })).toBeVisible();
  await app.open('/posts');
  const cell = page.getByRole('row').nth(1).getByRole('cell').nth(1);
  await expect(cell.getByRole('link').locator('span').first()).toHaveCSS('overflow', 'clip');
  await expect(cell.getByRole('link').locator('xpath=following-sibling::*')).toHaveCSS(
    'overflow',
    'clip',
  );
});

test('a long alternative text stays in its box', async ({ page, app }) => {
  const images = [{ alt: 'word '.repeat(400) }, { alt: 'Short' }];
  await openStoredPost(page, app, { embed: { images } });
  const items = previewOf(page).getByRole('list', { name: 'Images' }).getByRole('listitem');
  const heights = await items.evaluateAll((all) => all.map((item) => item.clientHeight));
  expect(Math.abs((heights[0] ?? 0) - (heights[1] ?? 0))).toBeLessThan(160);
  // Reached and scrolled by keyboard.
  const text = items.first().getByRole('paragraph');
  await text.focus();
  await expect(text).toBeFocused();
  await expectAccessible(page);
});

test('a post that reads from right to left is laid out so', async ({ page, app }) => {
  const content = 'مرحبا https://noor.example.test/ar תודה';
  const facets = [link(11, 39, 'https://noor.example.test/ar')];
  await openStoredPost(page, app, { content, facets });
  expect(await wordsOf(page)).toBe(content);
  const paragraph = previewOf(page).getByRole('paragraph').first();
  await expect(paragraph).toHaveCSS('direction', 'rtl');
  const first = await paragraph.getByText('مرحبا').boundingBox();
  const second = await paragraph.getByRole('link').boundingBox();
  const third = await paragraph.getByText('תודה').boundingBox();
  expect(first?.x).toBeGreaterThan(second?.x ?? Infinity);
  expect(second?.x).toBeGreaterThan(third?.x ?? Infinity);
});

test('a name that turns the reading direction turns nothing around it', async ({ page, app }) => {
  const user = { display_name: 'Support\u202Egnp.exe' };
  await openStoredPost(page, app, { content: 'Hello', user });
  await expect(previewOf(page).getByText('1 hidden character')).toBeVisible();
  await expect(previewOf(page)).not.toContainText('\u202E');
  await app.open('/posts');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('main')).not.toContainText('\u202E');
});

test('hidden characters of a name are marked in the question and the message about it', async ({
  page,
  app,
}) => {
  await app.rows.assignment(await app.rows.user({ display_name: 'Support\u202Egnp.exe' }), {
    code: 'ABCD-EFGH-JKLM-NPQR',
  });
  await app.open('/tickets');
  await page.getByRole('link', { name: 'ABCD-EFGH-JKLM-NPQR' }).click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog.getByRole('paragraph').first()).toHaveText(
    'Are you sure you want to revoke the plan assignment for Supportgnp.exe?1 hidden character',
  );
  await expect(dialog.getByText('\u202E')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  const message = page.getByText('Plan assignment revoked: Supportgnp.exe');
  await expect(message.locator('xpath=..').getByText('1 hidden character')).toBeVisible();
});

test('an invisible name gives way to the handle in the assignments of a ticket', async ({
  page,
  app,
}) => {
  const user = await app.rows.user({ display_name: '\u200b', handle: 'quiet.example.test' });
  await app.rows.assignment(user, { code: 'ABCD-EFGH-JKLM-NPQR' });
  await app.open('/tickets');
  await page.getByRole('link', { name: 'ABCD-EFGH-JKLM-NPQR' }).click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(page.getByRole('alertdialog').getByRole('paragraph').first()).toHaveText(
    'Are you sure you want to revoke the plan assignment for quiet.example.test?',
  );
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: 'quiet.example.test', exact: true })).toBeVisible();
});

test('words as long as the database takes stay inside the page, in list and detail', async ({
  page,
  app,
}) => {
  const post = await openStoredPost(page, app, {
    content: word(10_000),
    status: 'FAILED',
    error_msg: word(4000),
    at_uri: `at://${word(2500)}`,
    user: { did: `did:plc:${word(2000)}`, handle: word(253), display_name: word(640) },
    embed: {
      external: {
        uri: `https://a.example.test/${word(10_000)}`,
        title: word(10_000),
        description: word(10_000),
      },
    },
  });
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await app.open(`/posts/${post.id}`);
    expect(await wordsOf(page)).toBe(post.content);
    await expectNoSidewaysScroll(page);
    await page.getByText('Facets and embed').click();
    await expectNoSidewaysScroll(page);
    await app.open('/posts');
    await expect(page.getByRole('link', { name: `${word(80)}…` })).toBeVisible();
    await expectNoSidewaysScroll(page);
  }
});
