import { userGet } from '@meridian/contract';
import { expect, test } from './support/test.ts';

test('an unknown address shows Not found inside the shell', async ({ page, app }) => {
  await app.open('/no/such/page');
  await expect(page.getByRole('heading', { level: 1, name: 'Not found' })).toBeVisible();
  await expect(page).toHaveTitle('Not found · Meridian');
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to Dashboard' }).click();
  await expect(page).toHaveURL(`${app.url}/`);
});

test('an address that cannot be decoded shows Not found too', async ({ page, app, complaints }) => {
  await app.open('/%E0%A4%A');
  await expect(page.getByRole('heading', { level: 1, name: 'Not found' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Go to Dashboard' })).toBeVisible();
  // The router logs it as well, rightly.
  const others = complaints.filter((complaint) => !complaint.includes('could not be decoded'));
  complaints.splice(0, complaints.length, ...others);
});

// Proves 2.21
test('/currencies leads to the section of the settings', async ({ page, app }) => {
  await app.open('/currencies');
  await expect(page).toHaveURL(`${app.url}/settings#currencies`);
});

test('a slash at the end does not cost the way back to the list', async ({ page, app }) => {
  await app.rows.posts(1);
  await app.open('/posts/?status=PENDING');
  await page.getByRole('link', { name: 'Post number 1' }).click();
  await page.getByRole('link', { name: 'Back to Posts' }).click();
  await expect(page).toHaveURL(`${app.url}/posts?status=PENDING`);
});

test('an id is sent as it is written', async ({ page, app }) => {
  await app.open('/users/a%2Fb%20c%3Fd');
  await expect(page.getByRole('heading', { level: 1, name: 'User not found' })).toBeVisible();
  expect(app.callsTo(userGet)[0]?.url).toBe('/api/admin/users/a%2Fb%20c%3Fd');
});
