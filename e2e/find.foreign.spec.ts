import { postList, userList } from '@meridian/contract';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';
import { answerEverything } from './support/whole-stand-in.ts';

test('a server that announces nothing gets the plain lists: no further control, no call outside the law', async ({
  page,
  standIn,
}) => {
  answerEverything(standIn);
  await visit(page, standIn, '/posts?overdue=true&status=FAILED');
  await expect(page.getByRole('row')).toHaveCount(21);
  for (const name of ['More filters', 'Export', 'Find anything']) {
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  }
  await expect(page.getByRole('list', { name: 'Filters in force' })).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('row').nth(1).getByRole('link').last().click();
  await expect(page.getByRole('heading', { name: 'Post Details' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Next in the list' })).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await visit(page, standIn, '/users?status=RESTRICTED&search=anna');
  await expect(page.getByRole('row')).toHaveCount(21);
  await expect(page.getByRole('searchbox')).toHaveCount(0);
  expect(standIn.callsTo(postList).map(({ url }) => url)).toEqual([
    '/api/admin/posts?limit=20&status=FAILED&sort=scheduled_at&order=desc',
  ]);
  expect(standIn.callsTo(userList).map(({ url }) => url)).toEqual([
    '/api/admin/users?limit=20&status=RESTRICTED',
  ]);
});
