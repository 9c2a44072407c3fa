import { deliveryGet, engineGet } from '@meridian/contract';
import { openPost } from './support/post-page.ts';
import { samplePost } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

test('a server that announces no engine gets the plain console: no link, no call', async ({
  page,
  standIn,
}) => {
  await openPost(page, standIn, samplePost({ status: 'PROCESSING' }));
  await expect(page.getByRole('region', { name: 'Change Status' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Delivery' })).toHaveCount(0);
  await expect(page.getByRole('navigation')).toHaveCount(1);
  await page.getByRole('button', { name: 'Pending' }).click();
  await expect(page.getByRole('alertdialog')).toContainText(
    'The post will be published at its scheduled time.',
  );
  await visit(page, standIn, '/engine');
  await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible();
  expect([...standIn.callsTo(engineGet), ...standIn.callsTo(deliveryGet)]).toEqual([]);
});
