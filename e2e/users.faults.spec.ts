import { userList } from '@meridian/contract';
import { sampleUser } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

test('a failed load of users says why and can be retried', async ({ page, standIn }) => {
  for (const [response, message] of [
    [{ status: 500, body: { message: 'Out to lunch' } }, 'Out to lunch'],
    [{ status: 502, text: '<h1>Bad gateway</h1>' }, 'Request failed'],
    [{ status: 503, body: {} }, 'HTTP 503'],
    [{ cut: true }, 'Failed to load users'],
  ] as const) {
    await test.step(message, async () => {
      standIn.on(userList, response);
      await visit(page, standIn, '/users');
      await expect(page.getByRole('alert')).toContainText(message);
      const users = [sampleUser({ display_name: 'Person 1' })];
      standIn.on(userList, { body: { users, total: 1 } });
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(page.getByText('Person 1')).toBeVisible();
      await expect(page.getByRole('alert')).toHaveCount(0);
    });
  }
});
