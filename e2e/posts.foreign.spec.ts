import { postList } from '@meridian/contract';
import { samplePost, samplePosts } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

// Proves 2.69
test('an author with missing names is named by what there is', async ({ page, standIn }) => {
  const user = {
    id: 'user-abcdef',
    did: 'did:plc:abcdefghijklmnopqrstuvwx',
    handle: 'mika.example',
    display_name: null,
    avatar: null,
  };
  const cases = [
    [{ ...user, handle: '' }, ['did:plc:abcdefghijkl…', 'user-abc…']],
    [{ ...user, did: '' }, ['mika.example', 'user-abc…']],
    [{ ...user, handle: '', did: '' }, ['user-abc…']],
    [{ ...user, handle: '\u200b', did: '' }, ['user-abc…']],
    // The author is gone: the start of the user id.
    [null, ['user-abc…']],
  ] as const;
  const posts = cases.map(([author]) => samplePost({ user: author, user_id: user.id }));
  standIn.on(postList, { body: { posts, total: posts.length } });
  await visit(page, standIn, '/posts');
  for (const [index, [author, lines]] of cases.entries()) {
    const cell = page
      .getByRole('row')
      .nth(index + 1)
      .getByRole('cell')
      .first();
    for (const line of lines) await expect(cell.getByText(line, { exact: true })).toBeVisible();
    if (author === null) continue;
    await expect(cell.getByRole('link')).toHaveText(lines[0]);
    await expect(cell.getByRole('link')).toHaveAttribute('href', '/users/user-abcdef');
  }
});

test('a server that sends all rows at once has one page, unknown statuses as they came', async ({
  page,
  standIn,
}) => {
  const posts = [...samplePosts(44), samplePost({ status: 'ON_HOLD' })];
  standIn.on(postList, { body: { posts, total: 45 } });
  await visit(page, standIn, '/posts');
  await expect(page.getByRole('row')).toHaveCount(46);
  await expect(page.getByText('45 posts', { exact: true })).toBeVisible();
  await expect(page.getByText(/^Showing/)).toHaveCount(0);
  await expect(page.getByRole('row').last().getByText('ON_HOLD')).toBeVisible();
});
