import { statsGet, userList } from '@meridian/contract';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { sampleUser } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

test('a failed list, a failed dashboard and an unknown status are accessible', async ({
  page,
  standIn,
}) => {
  standIn.on(userList, { status: 400, body: {} }).on(statsGet, { status: 400, body: {} });
  await visit(page, standIn, '/users');
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessibleInTwoLooks(page);
  await page.goto(`${standIn.url}/`);
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
  await expectAccessibleInTwoLooks(page);
  standIn.on(userList, { body: { users: [sampleUser({ status: 'ON_LEAVE' })], total: 1 } });
  await page.goto(`${standIn.url}/users`);
  await expect(page.getByText('ON_LEAVE')).toBeVisible();
  await expectAccessibleInTwoLooks(page);
});
