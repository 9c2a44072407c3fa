import type { Locator } from '@playwright/test';
import { judge } from '../server/test/figures.ts';
import { openStoredPost, previewOf } from './support/post-page.ts';
import { expect, test } from './support/test.ts';

/** At best, of several; for the summary of the long run. */
function layoutMs(element: Locator): Promise<number> {
  return element.evaluate((node: HTMLElement) => {
    const taken = [200, 210, 220, 230, 240].map((width) => {
      const startedAt = performance.now();
      node.style.width = `${width}px`;
      node.getBoundingClientRect();
      return performance.now() - startedAt;
    });
    node.style.width = '';
    return Math.min(...taken);
  });
}

/** What makes the browser shape a long word anew at every possible line break. */
function shaping(element: Locator): Promise<Record<string, string>> {
  return element.evaluate((node) => {
    const { overflowWrap, fontKerning, fontVariantLigatures } = getComputedStyle(node);
    return { overflowWrap, fontKerning, fontVariantLigatures };
  });
}

test('one letter two thousand times is shaped once, not once for each possible break', async ({
  page,
  app,
}) => {
  const letters = 'sphinx of black quartz judge my vow'.replaceAll(' ', '');
  const mixed = letters.repeat(100).slice(0, 2000);
  const same = 'A'.repeat(2000);
  await openStoredPost(page, app, {
    content: same,
    embed: { images: [{ alt: same }, { alt: mixed }] },
  });
  const captions = previewOf(page).getByRole('listitem').locator('p');
  const words = previewOf(page).getByText(same, { exact: true }).first();
  for (const element of [words, captions.nth(0)]) {
    expect(await shaping(element)).toEqual({
      overflowWrap: 'anywhere',
      fontKerning: 'none',
      fontVariantLigatures: 'none',
    });
  }
  const quick = await layoutMs(captions.nth(1));
  const slow = Math.max(await layoutMs(captions.nth(0)), await layoutMs(words));
  judge({
    goal: 'one letter 2,000 times is laid out in at most 4 times the time of 2,000 letters',
    measured: `${(slow / quick).toFixed(1)} times`,
    isMet: slow / quick <= 4,
  });
});

test('an alternative text is cut where the network would have cut it', async ({ page, app }) => {
  const alt = 'word '.repeat(100_000);
  await openStoredPost(page, app, { embed: { images: [{ alt }] } });
  const caption = previewOf(page).getByRole('listitem').locator('p');
  await expect(caption).toHaveText(/^word (?:word )*word…$/);
  expect((await caption.innerText()).length).toBeLessThanOrEqual(2001);
});

test('what hides in the words of a link is shown', async ({ page, app }) => {
  const content = 'go to \u202eelpmaxe.knab';
  const index = { byteStart: 6, byteEnd: new TextEncoder().encode(content).length };
  const features = [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://evil.example.test/' }];
  await openStoredPost(page, app, { content, facets: [{ index, features }] });
  const preview = previewOf(page);
  await expect(preview.getByText('1 hidden character')).toBeVisible();
  await expect(preview.getByText('leads to evil.example.test')).toBeVisible();
});

test('an invisible name gives way to the handle', async ({ page, app }) => {
  const user = await app.rows.user({
    display_name: ' \u200b\u3164 ',
    handle: 'quiet.example.test',
  });
  await app.open(`/users/${user.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('quiet.example.test');
  await expect(page).toHaveTitle('quiet.example.test · Meridian');
});

test('the title of the tab has no hidden characters', async ({ page, app }) => {
  const user = await app.rows.user({ display_name: 'Ana\u202e gro' });
  await app.open(`/users/${user.id}`);
  await expect(page).toHaveTitle('Ana gro · Meridian');
});
