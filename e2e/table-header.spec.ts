import { expect, test } from './support/test.ts';

test('the whole header of a long list stays in sight, with the box that selects all', async ({
  page,
  app,
}) => {
  await app.rows.posts(30);
  await app.open('/posts');
  await expect(page.getByRole('row').nth(20)).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 400 });
  await page.mouse.move(900, 300);
  await page.mouse.wheel(0, 450);
  const header = page.getByRole('row').first();
  await expect
    .poll(() => header.evaluate((row) => row.getBoundingClientRect().top))
    .toBeLessThan(0);
  const tops = await page
    .getByRole('columnheader')
    .evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().top)));
  expect(tops.length).toBeGreaterThan(3);
  expect(tops.filter((top) => top !== 0)).toEqual([]);
});
