import { runFromPalette } from './support/palette.ts';
import { expect, test } from './support/test.ts';

test('single keys are turned off in this browser by the palette, and on by the profile menu', async ({
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

  await runFromPalette(page, 'single-key', /^Single-key shortcuts/u);
  await expect(page.getByText('Single-key shortcuts are off')).toBeVisible();
  await page.reload();
  await link.focus();
  await page.keyboard.press('/');
  await expect(link).toBeFocused();

  const profile = page.getByRole('button', { name: /@admin$/ });
  await profile.click();
  await page.getByRole('menuitem', { name: 'Single-key shortcuts: off' }).click();
  await expect(page.getByText('Single-key shortcuts are on')).toBeVisible();
  await profile.click();
  await expect(page.getByRole('menuitem', { name: 'Single-key shortcuts: on' })).toBeVisible();
  await page.keyboard.press('Escape');
  await link.focus();
  await page.keyboard.press('/');
  await expect(filter).toBeFocused();
});

test('in an open menu single keys lead nowhere else', async ({ page, app }) => {
  await app.rows.posts(2);
  await app.open('/posts');
  const profile = page.getByRole('button', { name: /@admin$/ });
  const entry = page.getByRole('menuitem', { name: 'Change Password' });
  await profile.press('Enter');
  await expect(entry).toBeFocused();
  await page.keyboard.press('/');
  await expect(entry).toBeFocused();
  await page.keyboard.press('Escape');

  await page
    .getByRole('table', { name: 'Scheduled posts' })
    .locator('a[data-row-link]')
    .first()
    .click();
  await expect(page.getByRole('button', { name: 'Next in the list' })).toBeVisible();
  const address = page.url();
  await profile.press('Enter');
  await page.keyboard.press('j');
  await expect(entry).toBeFocused();
  expect(page.url()).toBe(address);
});
