import { failureList, nowGet, statsGet, verdictGet } from '@meridian/contract';
import { STATS } from './support/dashboard-page.ts';
import { openPost } from './support/post-page.ts';
import { samplePost } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { openUser } from './support/user-page.ts';
import { visit } from './support/visit.ts';

test('a server that announces none of it gets the plain console: no section, no button, no call', async ({
  page,
  standIn,
}) => {
  await openPost(page, standIn, samplePost({ status: 'FAILED', error_msg: 'Late' }));
  await expect(page.getByRole('region', { name: 'Change Status' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
  await openUser(page, standIn, { assignments: [], posts: [] });
  await expect(page.getByText('No plans assigned')).toBeVisible();
  await expect(page.getByRole('region', { name: 'What this user can do' })).toHaveCount(0);
  standIn.on(statsGet, { body: STATS });
  await visit(page, standIn, '/');
  await expect(page.getByRole('table', { name: 'Users by Status' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Now', exact: true })).toHaveCount(0);
  await visit(page, standIn, '/failures');
  await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible();
  const calls = [nowGet, verdictGet, failureList].flatMap((endpoint) => standIn.callsTo(endpoint));
  expect(calls).toEqual([]);
});
