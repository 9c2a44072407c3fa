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
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find anything' }).fill('single-key');
    const option = page.getByRole('option', { name: /^Single-key shortcuts/u });
    // By one key: lines that are found meanwhile may move a line away from the pointer.
    await expect(option).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
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
