import { navigate } from './support/navigate.ts';
import { expect, test } from './support/test.ts';

test('every filter is named by the words that are seen', async ({ signedIn: page, meridian }) => {
  const filters = page.getByRole('search', { name: 'Filters' });
  await page.goto(`${meridian.url}/audit`);
  const labels = filters.locator('label');
  await expect(labels).toHaveText([
    'Administrator',
    'Action',
    'Object',
    'Object ID',
    'From',
    'Through',
  ]);
  for (const label of await labels.all()) {
    // One of a single pixel is for screen readers.
    expect((await label.boundingBox())?.height).toBeGreaterThan(10);
  }
  await expect(filters.getByRole('searchbox', { name: 'Administrator' })).toBeVisible();
  for (const [path, words] of [
    ['/posts', 'User DID or handle'],
    ['/users', 'Handle, DID or name'],
    ['/tickets', 'Search tickets'],
  ] as const) {
    await navigate(page, path);
    const field = filters.getByPlaceholder(words, { exact: true });
    await expect(field).toHaveAccessibleName(words);
  }
});
