import { deliveryGet, engineGet } from '@meridian/contract';
import { openPost } from './support/post-page.ts';
import { samplePost } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

test('a server that announces no engine gets the plain console: no link, no call', async ({
  page,
  standIn,
}) => {
  const scheduled_at = '2126-11-20T17:00:00.000Z';
  await openPost(page, standIn, samplePost({ status: 'PROCESSING', scheduled_at }));
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

test('nothing is promised of a post whose time has passed, where no engine is announced', async ({
  page,
  standIn,
}) => {
  const scheduled_at = '2026-03-02T08:14:00.000Z';
  await openPost(page, standIn, samplePost({ status: 'CANCELLED', scheduled_at }));
  await page.getByRole('button', { name: 'Pending' }).click();
  await expect(page.getByRole('alertdialog')).toContainText(
    'Its scheduled time has passed. The post will be marked as pending.',
  );
});
