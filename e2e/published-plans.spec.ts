import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { planPublish } from '@meridian/contract';
import type { PublishedPlanIndex } from '@meridian/contract';
import { expect, test } from './support/test.ts';

const PAGE = path.resolve(import.meta.dirname, '../examples/prices.html');

test('the example page shows the prices of the published plans on another site', async ({
  page,
  meridian,
}) => {
  const { publishedCount } = await meridian.call(planPublish);
  const published = await fetch(`${meridian.url}/cdn/plans/index.json`);
  // With the headers that Meridian delivers the file with, which let other sites read it.
  const headers = Object.fromEntries(published.headers);
  const body = await published.text();
  await page.route('https://cdn.example.com/plans/index.json', (route) =>
    route.fulfill({ headers, body }),
  );
  const html = await readFile(PAGE, 'utf8');
  await page.route('https://shop.example.com/', (route) =>
    route.fulfill({ contentType: 'text/html', body: html }),
  );
  await page.goto('https://shop.example.com/');

  const { plans } = JSON.parse(body) as PublishedPlanIndex; // checked by the API tests
  const rows = page.getByRole('table').locator('tbody').getByRole('row');
  expect(plans).toHaveLength(publishedCount);
  await expect(rows).toHaveCount(publishedCount);
  for (const [index, plan] of plans.entries()) {
    const { displayName, priceMonthly, priceYearly } = plan;
    const prices = [priceMonthly, priceYearly].map((amounts) => shown(amounts, plan));
    await expect(rows.nth(index).getByRole('cell')).toHaveText([
      displayName['en'] ?? '',
      ...prices,
    ]);
  }
});

type Plan = PublishedPlanIndex['plans'][number];

function shown(amounts: Plan['priceMonthly'], { currency, isPaid }: Plan): string {
  const amount = amounts?.[currency];
  if (!isPaid) return 'Free';
  if (amount === undefined) return '–';
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount);
}
