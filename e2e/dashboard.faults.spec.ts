import { statsGet, userList } from '@meridian/contract';
import { card, STATS } from './support/dashboard-page.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

for (const [what, response] of [
  ['an error', { status: 500, body: { message: 'The database is resting' } }],
  ['no response', { cut: true }],
] as const) {
  // Proves 8.39, 8.43
  test(`a failed load (${what}) is quiet, shows no false zero, and can be retried`, async ({
    page,
    standIn,
  }) => {
    const logged: string[] = [];
    page.on('console', (message) => logged.push(message.text()));
    standIn.on(statsGet, response);
    await visit(page, standIn, '/');
    await expect(page.getByText('The numbers could not be loaded.')).toBeVisible();
    expect(logged).toContainEqual(expect.stringMatching(/^Failed to load the dashboard:/));
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(page.getByRole('article')).toHaveCount(0);
    await expect(page.getByRole('main').getByText('0', { exact: true })).toHaveCount(0);
    await expect(page.getByText('No data available')).toHaveCount(0);
    await expect(page.getByText(/^As of /)).toHaveCount(0);
    standIn.on(statsGet, { body: STATS });
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText(/^As of /)).toBeVisible();
    await expect(card(page, 'Total Users')).toContainText('12,345');
    await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
  });
}

test('a failed load of newer numbers leaves the older ones on screen', async ({
  page,
  standIn,
}) => {
  await page.clock.install();
  standIn.on(statsGet, { body: STATS }).on(userList, { body: { users: [], total: 0 } });
  await visit(page, standIn, '/');
  await expect(card(page, 'Total Users')).toContainText('12,345');
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await expect(page.getByText('No users found')).toBeVisible();
  standIn.on(statsGet, { status: 400, body: {} });
  await page.clock.fastForward(60_000);
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByText('The numbers could not be loaded.')).toBeVisible();
  await expect(card(page, 'Total Users')).toContainText('12,345');
});
