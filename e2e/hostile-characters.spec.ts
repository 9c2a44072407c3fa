import { postList } from '@meridian/contract';
import { expectNoSidewaysScroll } from './support/layout.ts';
import { openPost, previewOf, wordsOf } from './support/post-page.ts';
import { samplePost } from './support/samples.ts';
import { expect, expectAccessible, test } from './support/test.ts';
import { visit } from './support/visit.ts';

/** Characters that hide, turn, climb or do not end, in everything that a post brings. */

const link = (byteStart: number, byteEnd: number, uri: string) => ({
  index: { byteStart, byteEnd },
  features: [{ $type: 'app.bsky.richtext.facet#link', uri }],
});

test('hidden characters in the text of a post are marked, linked or not', async ({
  page,
  standIn,
}) => {
  const post = samplePost({
    content: `Invoice\u202efdp.exe and ${'\u200b'.repeat(300)} more`,
    embed: { images: [{ alt: 'A\u2066b' }] },
    languages: ['e\u200bn'],
  });
  await openPost(page, standIn, post);
  await expect(previewOf(page).getByText('301 hidden characters')).toBeVisible();
  // The alternative text, in its box and below it; the language.
  const single = previewOf(page).getByText('1 hidden character', { exact: true });
  await expect(single.filter({ visible: true })).toHaveCount(3);
  standIn.on(postList, { body: { posts: [post], total: 1 } });
  await visit(page, standIn, '/posts');
  const text = page.getByRole('link', { name: /^Invoice ?fdp\.exe/ });
  await expect(text).toContainText(/\d+ hidden characters/);
  await expect(page.getByRole('main')).not.toContainText('\u202e');
});

test('marks stacked on a letter stay in their line, in list and detail', async ({
  page,
  standIn,
}) => {
  const zalgo = `Z${'\u030d'.repeat(60)}a${'\u0316'.repeat(60)}lgo`;
  const post = samplePost({ content: zalgo, error_msg: zalgo, status: 'FAILED' });
  await openPost(page, standIn, post);
  const words = previewOf(page).getByRole('paragraph').first();
  await expect(words).toHaveCSS('overflow', 'clip');
  const named = previewOf(page).getByRole('list', { name: 'Not shown' });
  await expect(named).toHaveText('104 combining marks not shown');
  await expect(page.getByText('1 problem', { exact: true })).toBeVisible();
  standIn.on(postList, { body: { posts: [post], total: 1 } });
  await visit(page, standIn, '/posts');
  const cell = page.getByRole('row').nth(1).getByRole('cell').nth(1);
  await expect(cell.getByRole('link').locator('span').first()).toHaveCSS('overflow', 'clip');
  await expect(cell.getByRole('link').locator('xpath=following-sibling::*')).toHaveCSS(
    'overflow',
    'clip',
  );
});

test('a long alternative text stays in its box', async ({ page, standIn }) => {
  const images = [{ alt: 'word '.repeat(400) }, { alt: 'Short' }];
  await openPost(page, standIn, samplePost({ embed: { images } }));
  const items = previewOf(page).getByRole('list', { name: 'Images' }).getByRole('listitem');
  const heights = await items.evaluateAll((all) => all.map((item) => item.clientHeight));
  expect(Math.abs((heights[0] ?? 0) - (heights[1] ?? 0))).toBeLessThan(160);
  // Reached and scrolled by keyboard.
  const text = items.first().getByRole('paragraph');
  await text.focus();
  await expect(text).toBeFocused();
  await expectAccessible(page);
});

test('a post that reads from right to left is laid out so', async ({ page, standIn }) => {
  const content = 'مرحبا https://noor.example.test/ar תודה';
  const facets = [link(11, 39, 'https://noor.example.test/ar')];
  await openPost(page, standIn, samplePost({ content, facets }));
  expect(await wordsOf(page)).toBe(content);
  const paragraph = previewOf(page).getByRole('paragraph').first();
  await expect(paragraph).toHaveCSS('direction', 'rtl');
  const first = await paragraph.getByText('مرحبا').boundingBox();
  const second = await paragraph.getByRole('link').boundingBox();
  const third = await paragraph.getByText('תודה').boundingBox();
  expect(first?.x).toBeGreaterThan(second?.x ?? Infinity);
  expect(second?.x).toBeGreaterThan(third?.x ?? Infinity);
});

test('a name that turns the reading direction turns nothing around it', async ({
  page,
  standIn,
}) => {
  const user = {
    id: 'user-x',
    did: 'did:plc:abc',
    handle: 'eve.example.test',
    display_name: 'Support\u202Egnp.exe',
    avatar: null,
  };
  const post = samplePost({ content: 'Hello', user });
  await openPost(page, standIn, post);
  await expect(previewOf(page).getByText('1 hidden character')).toBeVisible();
  await expect(previewOf(page)).not.toContainText('\u202E');
  standIn.on(postList, { body: { posts: [post], total: 1 } });
  await page.goto(`${standIn.url}/posts`);
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('main')).not.toContainText('\u202E');
});

for (const width of [1440, 360]) {
  test(`a word of 10,000 letters stays inside ${width} px, in list and detail`, async ({
    page,
    standIn,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    const word = 'x'.repeat(10_000);
    const post = samplePost({
      content: word,
      status: 'FAILED',
      error_msg: word,
      at_uri: `at://${word}`,
      languages: ['en'],
      user: {
        id: 'user-x',
        did: `did:plc:${word}`,
        handle: word,
        display_name: word,
        avatar: null,
      },
      embed: {
        external: { uri: `https://a.example.test/${word}`, title: word, description: word },
      },
    });
    standIn.on(postList, { body: { posts: [post], total: 1 } });
    await openPost(page, standIn, post);
    expect(await wordsOf(page)).toBe(word);
    await expectNoSidewaysScroll(page);
    await page.getByText('Facets and embed').click();
    await expectNoSidewaysScroll(page);
    await visit(page, standIn, '/posts');
    await expect(page.getByRole('link', { name: `${'x'.repeat(80)}…` })).toBeVisible();
    await expectNoSidewaysScroll(page);
  });
}
