import { userGet } from '@meridian/contract';
import { sampleUser } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

test.describe('an address', () => {
  test('an unknown one shows Not found inside the shell', async ({ page, standIn }) => {
    await visit(page, standIn, '/no/such/page');
    await expect(page.getByRole('heading', { level: 1, name: 'Not found' })).toBeVisible();
    await expect(page).toHaveTitle('Not found · Meridian');
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    await page.getByRole('link', { name: 'Go to Dashboard' }).click();
    await expect(page).toHaveURL(`${standIn.url}/`);
  });

  test('one that cannot be read shows Not found too', async ({
    signedIn: page,
    meridian,
    complaints,
  }) => {
    await page.goto(`${meridian.url}/%E0%A4%A`);
    await expect(page.getByRole('heading', { level: 1, name: 'Not found' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Go to Dashboard' })).toBeVisible();
    // The router notes it as well, rightly.
    const others = complaints.filter((complaint) => !complaint.includes('could not be decoded'));
    complaints.splice(0, complaints.length, ...others);
  });

  test('/currencies leads to the section of the settings', async ({ page, standIn }) => {
    await visit(page, standIn, '/currencies');
    await expect(page).toHaveURL(`${standIn.url}/settings#currencies`);
  });

  test('an id is taken as it is written', async ({ page, standIn }) => {
    standIn.on(userGet, { body: { user: sampleUser({ display_name: 'Odd Id' }) } });
    await visit(page, standIn, '/users/a%2Fb%20c%3Fd');
    await expect(page.getByRole('heading', { level: 1, name: 'Odd Id' })).toBeVisible();
    expect(standIn.callsTo(userGet)[0]?.url).toBe('/api/admin/users/a%2Fb%20c%3Fd');
  });
});
