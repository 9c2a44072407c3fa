import { expect, test } from './support/test.ts';

test('says so when the network is gone, and when it is back', async ({ page, context, app }) => {
  await app.open('/password');
  const heading = page.getByRole('heading', { level: 1 });
  const before = await heading.boundingBox();
  await context.setOffline(true);
  const notice = page.getByRole('status').getByText(/^You are offline/);
  await expect(notice).toBeVisible();
  expect(await heading.boundingBox()).toEqual(before);
  const strip = await notice.boundingBox();
  expect((strip?.y ?? 0) + (strip?.height ?? 0)).toBeLessThanOrEqual(before?.y ?? 0);
  await context.setOffline(false);
  await expect(page.getByText(/^You are offline/)).toHaveCount(0);
});

test('a page whose code could not be loaded offline is loaded once online again', async ({
  page,
  context,
  app,
  complaints,
}) => {
  await app.open('/password');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
  // The router logs why the page could not be shown.
  complaints.splice(0);
});
