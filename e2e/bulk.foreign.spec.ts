import { bulkList, bulkPreview, consequenceGet, postList } from '@meridian/contract';
import { samplePost } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

test('a server that changes one row at a time gets the plain list: no checkbox, no call', async ({
  page,
  standIn,
}) => {
  const posts = [samplePost({ content: 'A post of another server' })];
  standIn.on(postList, { body: { posts, total: 1 } });
  await visit(page, standIn, '/posts');
  await expect(page.getByText('A post of another server')).toBeVisible();
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await visit(page, standIn, '/jobs');
  await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible();
  const calls = [bulkList, bulkPreview, consequenceGet].flatMap((one) => standIn.callsTo(one));
  expect(calls).toEqual([]);
});
