import type { User } from '@meridian/contract';
import corpus from '../demo/data/posts-corpus.json' with { type: 'json' };
import { watchForeignHosts } from './support/foreign-hosts.ts';
import { previewOf, wordsOf } from './support/post-page.ts';
import { expect, test } from './support/test.ts';

type Segment = { text: string; kind?: string; href?: string };
type Expectation = {
  about: string;
  segments: Segment[];
  issues: string[];
  view_url: string | null;
  images: string[];
  card: { href: string; thumb: string } | null;
};

const expectations = new Map<string, Expectation>(Object.entries(corpus.expectations));

/** The alternative texts of a post's pictures, in order. */
function altsOf(embed: unknown): string[] {
  const { images = [] } = (embed ?? {}) as { images?: { alt: string }[] }; // our own corpus
  return images.map(({ alt }) => alt);
}

// Proves 2.79, 2.80, 2.81
test('awkward posts show their words, links, pictures and problems', async ({ page, app }) => {
  const requests = await watchForeignHosts(page, app.url);
  const users = new Map<string, User>();
  for (const stored of corpus.posts) {
    const { user_id, user: author, ...fields } = stored;
    const user = users.get(user_id) ?? (await app.rows.user(author));
    users.set(user_id, user);
    // The corpus is JSON: its statuses are plain words.
    const post = await app.rows.post({ ...fields, user } as Parameters<typeof app.rows.post>[0]);
    const expected = expectations.get(post.id);
    await app.open(`/posts/${post.id}`);
    const preview = previewOf(page);
    await expect(preview, expected?.about).toBeVisible();

    await test.step('its words are all there, in order', async () => {
      expect(await wordsOf(page)).toBe(post.content);
    });

    await test.step('its links lead where they should, without a referrer', async () => {
      const links = preview.getByRole('paragraph').first().getByRole('link');
      const wanted = (expected?.segments ?? []).filter(({ kind }) => kind !== undefined);
      await expect(links).toHaveText(wanted.map(({ text }) => text));
      for (const [index, { href = '' }] of wanted.entries()) {
        await expect(links.nth(index)).toHaveAttribute('href', href);
      }
      for (const link of await preview.getByRole('link').all()) {
        await expect(link).toHaveAttribute('rel', /noopener.*noreferrer/);
        await expect(link).toHaveAttribute('target', '_blank');
      }
    });

    await test.step('its pictures have their source and their alternative text', async () => {
      const items = preview.getByRole('list', { name: 'Images' }).getByRole('listitem');
      const alts = altsOf(post.embed);
      await expect(items).toHaveCount(alts.length);
      for (const [index, alt] of alts.entries()) {
        const picture = items.nth(index).locator('img');
        await picture.scrollIntoViewIfNeeded();
        await expect(picture).toHaveAttribute('src', expected?.images[index] ?? '');
        await expect(picture).toHaveAttribute('alt', alt);
        await expect(picture).toHaveAttribute('lang', post.languages[0] ?? '');
        // In words too, for readers who see the picture.
        await expect(items.nth(index)).toHaveText(alt === '' ? 'No alternative text' : alt, {
          useInnerText: true,
        });
      }
    });

    await test.step('its link card has uri, title, description and thumbnail', async () => {
      const card = preview.getByRole('article', { name: 'Link card' });
      await expect(card).toHaveCount(expected?.card ? 1 : 0);
      if (!expected?.card) return;
      const { external } = post.embed as {
        external: { title: string; description: string; uri: string };
      }; // our own corpus
      await expect(card.getByRole('link', { name: external.title.trim() })).toHaveAttribute(
        'href',
        expected.card.href,
      );
      if (external.description !== '') {
        await expect(card.getByText(external.description.trim())).toBeVisible();
      }
      await expect(card.getByText(new URL(external.uri).host)).toBeVisible();
      await expect(card.locator('img')).toHaveAttribute('src', expected.card.thumb);
    });

    await test.step('it can be viewed on the network when it is there', async () => {
      const link = page.getByRole('link', { name: 'View on Bluesky' });
      await expect(link).toHaveCount(expected?.view_url ? 1 : 0);
      if (expected?.view_url) await expect(link).toHaveAttribute('href', expected.view_url);
    });

    await test.step('what was wrong with its facets is named', async () => {
      await page.getByText('Facets and embed').click();
      await expect(page.getByRole('region', { name: 'Problems' }).getByRole('listitem')).toHaveText(
        expected?.issues ?? [],
      );
      await expect(page.getByText(`Languages: ${post.languages.join(', ')}`)).toBeVisible();
    });

    const sources = [...(expected?.images ?? []), ...(expected?.card ? [expected.card.thumb] : [])];
    for (const src of sources) {
      await expect.poll(() => requests.map(({ url }) => url)).toContain(src);
    }
    expect(requests.filter(({ referer }) => referer !== undefined)).toEqual([]);
  }
});
