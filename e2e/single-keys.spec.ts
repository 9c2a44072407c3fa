import { runFromPalette } from './support/palette.ts';
import { expect, test } from './support/test.ts';

test('the palette turns the single keys off, in this browser until they are turned on', async ({
  page,
  app,
}) => {
  await app.rows.posts(2);
  await app.open('/posts');
  const filter = page.getByRole('searchbox').first();
  const link = page.getByRole('link', { name: 'Dashboard' });
  await expect(filter).toBeVisible();
  await link.focus();
  await page.keyboard.press('/');
  await expect(filter).toBeFocused();

  const switchKeys = async (told: string) => {
    await runFromPalette(page, 'single-key', /^Single-key shortcuts/u);
    await expect(page.getByText(told)).toBeVisible();
  };
  await switchKeys('Single-key shortcuts are off');
  await page.reload();
  await link.focus();
  await page.keyboard.press('/');
  await expect(link).toBeFocused();

  await switchKeys('Single-key shortcuts are on');
  await link.focus();
  await page.keyboard.press('/');
  await expect(filter).toBeFocused();
});
