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

for (const [path, name] of [
  ['/posts', 'Scheduled from'],
  ['/audit', 'From'],
] as const) {
  test(`a day can be typed into ${name} of ${path}, key by key`, async ({ page, app }) => {
    await app.open(path);
    const more = page.getByRole('button', { name: 'More filters' });
    if (path === '/posts') await more.click();
    const day = page.getByRole('textbox', { name, exact: true });
    const asked = page.waitForRequest((request) => request.url().includes('from=2026'));
    await day.focus();
    await page.keyboard.type('11182026');
    await asked;
    await expect(day).toHaveValue('2026-11-18');
    // The years on the way to it are none of the list's.
    await expect(page).toHaveURL(`${app.url}${path}?from=2026-11-17T23%3A00%3A00.000Z`);
    await page.goBack();
    await expect(page).toHaveURL(app.url + path);
    await expect(day).toHaveValue('');

    await day.focus();
    await page.keyboard.type('1118');
    await day.blur();
    await expect(day).toHaveAccessibleDescription('A whole date, from 2000 to 2099');
    await expect(page).toHaveURL(app.url + path);
  });
}

test('Back empties the day that was typed, also before its list is there', async ({
  page,
  app,
}) => {
  await app.open('/audit');
  await page.route('**/api/**from=*', () => undefined);
  const day = page.getByRole('textbox', { name: 'From', exact: true });
  await day.focus();
  await page.keyboard.type('11182026');
  await expect(page).toHaveURL((url) => url.searchParams.has('from'));
  await page.goBack();
  await expect(page).toHaveURL(`${app.url}/audit`);
  await expect(day).toHaveValue('');
});
