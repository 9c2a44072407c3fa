import { auditList, eventStream, userUpdate } from '@meridian/contract';
import { answerEverything } from './support/whole-stand-in.ts';
import { expect, test } from './support/test.ts';
import { managementOf } from './support/user-page.ts';
import { visit } from './support/visit.ts';

test('a server without an audit log gets no history, no reasons, no stream and no age', async ({
  page,
  standIn,
}) => {
  answerEverything(standIn);
  standIn.on(userUpdate, { body: {} });
  await visit(page, standIn, '/users/user-1');
  await managementOf(page).getByRole('button', { name: 'Blocked' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog.getByRole('textbox')).toHaveCount(0);
  const sent = page.waitForRequest((request) => request.method() === 'PATCH');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  expect(Object.keys((await sent).headers())).not.toContain('x-reason');
  await expect(page.getByRole('region', { name: 'History' })).toHaveCount(0);
  await visit(page, standIn, '/users');
  await expect(page.getByRole('table', { name: 'Users' })).toBeVisible();
  await expect(page.getByText(/^Updated/)).toHaveCount(0);
  await visit(page, standIn, '/audit');
  await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible();
  expect([...standIn.callsTo(auditList), ...standIn.callsTo(eventStream)]).toEqual([]);
});
