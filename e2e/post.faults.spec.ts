import { postDelete, postGet, postUpdate } from '@meridian/contract';
import { openPost } from './support/post-page.ts';
import { samplePost } from './support/samples.ts';
import { expect, test } from './support/test.ts';

// Proves 8.31
test('a refused status change says why in the dialog, and shows the state as it is now', async ({
  page,
  standIn,
}) => {
  const post = samplePost();
  await openPost(page, standIn, post);
  standIn
    .on(postUpdate, { status: 409, body: { message: 'It is completed' } })
    .on(postGet, { body: { post: { ...post, status: 'COMPLETED' } } });
  await page.getByRole('button', { name: 'Failed', exact: true }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Failed to update status: It is completed');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(
    page.getByRole('region', { name: 'Information' }).getByText('Completed'),
  ).toBeVisible();
  const section = page.getByRole('region', { name: 'Change Status' });
  await expect(section.getByRole('button')).toHaveCount(0);
});

// Proves 8.32
test('deleting that fails says why and stays', async ({ page, standIn }) => {
  await openPost(page, standIn, samplePost());
  standIn.on(postDelete, { status: 409, body: { message: 'It is being published' } });
  await page.getByRole('button', { name: 'Delete Post' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'Failed to delete post: It is being published',
  );
});
