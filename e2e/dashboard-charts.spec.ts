import { statsGet, userList } from '@meridian/contract';
import { chart, rowsOf, STATS } from './support/dashboard-page.ts';
import { sampleUser } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

test('each slice has its count and its percentage with one decimal', async ({ page, standIn }) => {
  standIn.on(statsGet, { body: STATS });
  await visit(page, standIn, '/');
  expect(await rowsOf(page, 'Posts by Status')).toEqual([
    ['Status', 'Count', 'Percentage'],
    ['Pending', '1,000', '33.3%'],
    ['Processing', '1', '0.0%'],
    ['Completed', '1,500', '50.0%'],
    ['Failed', '499', '16.6%'],
    ['Cancelled', '0', '0.0%'],
  ]);
  expect(await rowsOf(page, 'Users by Status')).toEqual([
    ['Status', 'Count', 'Percentage'],
    ['Active', '11,000', '89.1%'],
    ['Restricted', '345', '2.8%'],
    ['Suspended', '600', '4.9%'],
    ['Blocked', '400', '3.2%'],
  ]);
});

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

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a slice has the color of its status's badge (${colorScheme})`, async ({
    page,
    standIn,
  }) => {
    await page.emulateMedia({ colorScheme });
    const users = STATS.users.byStatus.map(({ status }) => sampleUser({ status }));
    standIn.on(statsGet, { body: STATS }).on(userList, { body: { users, total: users.length } });
    await visit(page, standIn, '/');
    const slices = chart(page, 'Users by Status').locator('svg path');
    await expect(slices).toHaveCount(4);
    const ofSlices = await slices.evaluateAll((paths) =>
      paths.map((path) => getComputedStyle(path).fill),
    );
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    const badges = page.getByRole('cell', { name: /^(Active|Restricted|Suspended|Blocked)$/ });
    await expect(badges).toHaveCount(4);
    const ofBadges = await badges
      .locator('[aria-hidden=true]')
      .evaluateAll((dots) => dots.map((dot) => getComputedStyle(dot).backgroundColor));
    expect(ofBadges).toEqual(ofSlices);
    expect(new Set(ofSlices).size).toBe(4);
  });
}

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

test('slice and legend are highlighted together', async ({ page, standIn }) => {
  standIn.on(statsGet, { body: STATS });
  await visit(page, standIn, '/');
  const region = chart(page, 'Users by Status');
  await region.getByRole('link', { name: 'Suspended' }).focus();
  const faded = () =>
    region
      .locator('svg path')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('opacity') !== '1'));
  await expect.poll(faded).toEqual([true, true, false, true]);
});
