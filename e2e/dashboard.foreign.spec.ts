import { statsGet } from '@meridian/contract';
import { chart, rowsOf, STATS } from './support/dashboard-page.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

// Proves 2.34, 9.16
test('seven colours cycle, alike on slice and legend', async ({ page, standIn }) => {
  const byStatus = Array.from({ length: 9 }, (_, index) => ({
    status: `STATUS_${index}`,
    count: 10 + index,
  }));
  standIn.on(statsGet, { body: { ...STATS, posts: { total: 126, byStatus } } });
  await visit(page, standIn, '/');
  const region = chart(page, 'Posts by Status');
  await expect(region.getByText('STATUS_8')).toBeVisible();
  const slices = await region
    .locator('svg path')
    .evaluateAll((paths) => paths.map((path) => getComputedStyle(path).fill));
  const legend = await region.getByRole('rowheader').evaluateAll((cells) =>
    cells.map((cell) => {
      const swatch = cell.querySelector('[aria-hidden]');
      return swatch && getComputedStyle(swatch).backgroundColor;
    }),
  );
  expect(slices).toHaveLength(9);
  expect(new Set(slices.slice(0, 7)).size).toBe(7);
  expect(slices.slice(7)).toEqual(slices.slice(0, 2));
  expect(legend).toEqual(slices);
  // No list can be filtered by an unknown status.
  await expect(region.getByRole('link')).toHaveCount(0);
});

test('percentages are of the total, and no slice is missing its own', async ({ page, standIn }) => {
  const byStatus = [
    { status: 'PENDING', count: 1 },
    { status: 'COMPLETED', count: 149 },
  ];
  standIn.on(statsGet, { body: { ...STATS, posts: { total: 300, byStatus } } });
  await visit(page, standIn, '/');
  expect((await rowsOf(page, 'Posts by Status')).slice(1)).toEqual([
    ['Pending', '1', '0.3%'],
    ['Completed', '149', '49.7%'],
  ]);
  // Of the circle the slices take half: the rest belongs to statuses that are not listed.
  const region = chart(page, 'Posts by Status');
  await region.locator('svg path').first().hover({ force: true });
  await expect(region.getByRole('cell', { name: '0.3%' })).toBeVisible();
});
