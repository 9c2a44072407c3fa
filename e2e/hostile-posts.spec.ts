import type { Page } from '@playwright/test';
import { watchForeignHosts } from './support/foreign-hosts.ts';
import { openStoredPost, previewOf, wordsOf } from './support/post-page.ts';
import { expect, test } from './support/test.ts';

const MARKUP =
  '<img src=x onerror="window.ranIn=1"><script>window.ranIn=2</script>' +
  '<a href="javascript:window.ranIn=3">x</a>&lt;b&gt;</p></bdi><svg onload="window.ranIn=4">';

const link = (byteStart: number, byteEnd: number, uri: string) => ({
  index: { byteStart, byteEnd },
  features: [{ $type: 'app.bsky.richtext.facet#link', uri }],
});

const hasRun = (page: Page) => page.evaluate(() => 'ranIn' in window);

// What is tested is the console, not that the browser would have stopped it.
test.use({ bypassCSP: true });

test('markup is text in every field of a post', async ({ page, app }) => {
  await openStoredPost(page, app, {
    content: MARKUP,
    status: 'FAILED',
    error_msg: MARKUP,
    languages: [MARKUP],
    user: {
      did: `did:${MARKUP}`,
      handle: MARKUP,
      display_name: MARKUP,
      avatar: 'javascript:window.ranIn=5',
    },
    facets: [{ index: { byteStart: 0, byteEnd: 4 }, features: [{ $type: MARKUP }] }],
    embed: {
      images: [{ url: 'javascript:window.ranIn=6', alt: MARKUP }],
      external: { uri: MARKUP, title: MARKUP, description: MARKUP, thumb: MARKUP },
    },
  });
  expect(await wordsOf(page)).toBe(MARKUP);
  await page.getByText('Facets and embed').click();
  await expect(page.getByRole('region', { name: 'Problems' })).toContainText(MARKUP);
  await expect(previewOf(page).getByRole('link')).toHaveCount(0);
  await expect(page.getByRole('main').locator('img')).toHaveCount(0);

  await app.open('/posts');
  await expect(page.getByRole('row')).toHaveCount(2);
  expect(await hasRun(page)).toBe(false);
});

test('addresses that are not the web are no links, and their text stays', async ({ page, app }) => {
  const uris = [
    'javascript:window.ranIn=1',
    'JaVaScRiPt:window.ranIn=1',
    ' java\nscript:window.ranIn=1',
    'data:text/html,<script>window.ranIn=1</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'https://admin:secret@bank.example.test/',
    '//protocol.example.test/',
    '/users',
    '',
  ];
  const content = uris.map((_, index) => `word${index}`).join(' ');
  const facets = uris.map((uri, index) => link(index * 6, index * 6 + 5, uri));
  await openStoredPost(page, app, { content, facets });
  expect(await wordsOf(page)).toBe(content);
  await expect(previewOf(page).getByRole('link')).toHaveCount(0);
  const named = previewOf(page).getByRole('list', { name: 'Not shown' }).getByRole('listitem');
  await expect(named).toHaveCount(6);
  await expect(named.first()).toHaveText('Facet 1: Refused link target javascript:window.ranIn=1');
  await expect(named.last()).toHaveText('5 more below');
  await page.getByText('word1').click();
  expect(await hasRun(page)).toBe(false);
  await expect(page).toHaveURL(/\/posts\//);
});

test('a link whose words name another host says where it leads', async ({ page, app }) => {
  const content = 'bank.example.test harbour.example.test';
  await openStoredPost(page, app, {
    content,
    facets: [
      link(0, 17, 'https://thief.example.test/login'),
      link(18, 38, 'https://harbour.example.test/menu'),
    ],
  });
  expect(await wordsOf(page)).toBe(content);
  await expect(previewOf(page).getByText(/^leads to/)).toHaveText(['leads to thief.example.test']);
});

test('a facet that runs past the end is drawn to the end, as its readers see it', async ({
  page,
  app,
}) => {
  const content = 'Read the naïve menu';
  const facets = [link(9, 9999, 'https://harbour.example.test/menu')];
  await openStoredPost(page, app, { content, facets });
  expect(await wordsOf(page)).toBe(content);
  await expect(previewOf(page).getByRole('link')).toHaveText(['naïve menu']);
  await expect(page.getByText(/problem/)).toHaveCount(0);
});

test('what is not drawn is named in plain sight', async ({ page, app }) => {
  await openStoredPost(page, app, {
    content: 'naïve',
    facets: [link(0, 3, 'https://split.example.test/')],
    embed: { $type: 'app.bsky.embed.video', alt: 'A boat \u202eleaves', video: {} },
  });
  const named = previewOf(page).getByRole('list', { name: 'Not shown' }).getByRole('listitem');
  await expect(named).toHaveText([
    'Video, not shown here: A boat leaves1 hidden character',
    'Facet 1 dropped (https://split.example.test/): bytes 0 to 3 split a character',
  ]);
  await expect(page.getByText('2 problems')).toBeVisible();
});

test('a link card shows its whole address, and says when it is refused', async ({ page, app }) => {
  const uri = `https://a.example.test/${'long-path/'.repeat(60)}end`;
  const card = previewOf(page).getByRole('article', { name: 'Link card' });
  await openStoredPost(page, app, { embed: { external: { uri, title: 'Menu' } } });
  await expect(card.getByText(uri)).toBeVisible();
  await expect(card.getByText('Refused link target')).toHaveCount(0);

  const refused = 'javascript:window.ranIn=1';
  const embed = { external: { uri: refused, title: 'Menu' } };
  await openStoredPost(page, app, { embed });
  await expect(card.getByText('Refused link target')).toBeVisible();
  await expect(card.getByText(refused)).toBeVisible();
  await expect(card.getByRole('link')).toHaveCount(0);
  await expect(page.getByText('1 problem', { exact: true })).toBeVisible();
});

test('facets that contradict each other break nothing', async ({ page, app }) => {
  const content = 'naïve 👩‍👩‍👧 text, twice over';
  const facets = [
    link(0, 6, 'https://a.example.test/'),
    link(3, 9, 'https://b.example.test/'),
    link(0, 6, 'https://c.example.test/'),
    link(2, 3, 'https://splits-a-letter.example.test/'),
    link(-1, 4, 'https://d.example.test/'),
    link(4, 1, 'https://e.example.test/'),
    link(0, 9999, 'https://f.example.test/'),
    null,
    'a string',
    { index: null, features: 7 },
    ...Array.from({ length: 5000 }, () => link(0, 2, 'https://many.example.test/')),
  ];
  await openStoredPost(page, app, { content, facets });
  expect(await wordsOf(page)).toBe(content);
  await expect(previewOf(page).getByRole('link')).toHaveText(['naïve']);
});

test('pictures of plain http, data and other schemes are never asked for', async ({
  page,
  app,
}) => {
  const requests = await watchForeignHosts(page, app.url);
  const sources = [
    'http://plain.example.test/a.png',
    '//plain.example.test/b.png',
    'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
    'ftp://files.example.test/c.png',
    'https://user:secret@pictures.example.test/d.png',
  ];
  await openStoredPost(page, app, {
    embed: {
      images: sources.map((url, index) => ({ url, alt: `Picture ${index}` })),
      external: { uri: 'https://a.example.test/', title: 'Card', thumb: sources[0] },
    },
    user: {
      handle: 'eve.example.test',
      display_name: 'Eve',
      avatar: 'http://plain.example.test/avatar.png',
    },
  });
  const items = previewOf(page).getByRole('list', { name: 'Images' }).getByRole('listitem');
  await expect(items).toHaveCount(sources.length);
  // The alternative text stands below the picture as always, and in its box for screen readers.
  for (const [index, item] of (await items.all()).entries()) {
    await expect(item.getByText(`Picture ${index}`)).toHaveCount(2);
  }
  await expect(page.getByRole('main').locator('img')).toHaveCount(0);
  expect(requests).toEqual([]);
});

test('a picture that does not come leaves a word in a box of the same size, and its text below', async ({
  page,
  app,
}) => {
  const requests = await watchForeignHosts(page, app.url);
  const images = [
    { url: 'https://pictures.example.test/there', alt: 'It came' },
    { url: 'https://pictures.example.test/gone', alt: 'It did not come' },
  ];
  await openStoredPost(page, app, { embed: { images } });
  const items = previewOf(page).getByRole('list', { name: 'Images' }).getByRole('listitem');
  await expect(items.nth(1).getByText('Picture not available')).toBeVisible();
  await expect(items.nth(1).getByRole('paragraph', { includeHidden: true })).toHaveText(
    'It did not come',
  );
  await expect(items.nth(0).getByText('It came')).toBeVisible();
  await expect(items.nth(0).getByRole('img', { name: 'It came' })).toBeVisible();
  const sizes = await items.evaluateAll((all) =>
    all.map((item) => {
      const box = item.firstElementChild?.getBoundingClientRect();
      return [box?.width, box?.height];
    }),
  );
  expect(sizes[1]).toEqual(sizes[0]);
  expect(requests.filter(({ referer }) => referer !== undefined)).toEqual([]);
});
