import { assignmentRevoke, userRestrict } from '@meridian/contract';
import { sampleAssignment } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { openUser, plansOf } from './support/user-page.ts';

// Proves 8.36
test('revoking that fails says why in the dialog', async ({ page, standIn }) => {
  await openUser(page, standIn, { assignments: [sampleAssignment()], posts: [] });
  await plansOf(page).getByRole('button', { name: 'Revoke' }).click();
  const dialog = page.getByRole('alertdialog');
  for (const [response, message] of [
    [{ status: 404, body: { message: 'Assignment not found' } }, 'Assignment not found'],
    [{ cut: true }, 'Failed to revoke plan assignment'],
  ] as const) {
    standIn.on(assignmentRevoke, response);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(dialog.getByRole('alert')).toContainText(message);
  }
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(plansOf(page).getByRole('button', { name: 'Revoke' })).toBeVisible();
});

// Proves 8.37
test('a restriction that cannot be changed says why', async ({ page, standIn }) => {
  await openUser(page, standIn, { assignments: [], posts: [] });
  const card = plansOf(page);
  for (const [response, message] of [
    [{ status: 500, body: { message: 'Not now' } }, 'Not now'],
    [{ cut: true }, 'Failed to update upgrade restrictions'],
  ] as const) {
    standIn.on(userRestrict, response);
    await card.getByRole('button', { name: 'Prohibit Upgrades' }).click();
    await expect(card.getByRole('alert')).toContainText(message);
    await expect(card.getByText(/were not/)).toHaveCount(0);
    await expect(page.getByText(/^Plan upgrades are currently prohibited/)).toHaveCount(0);
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await expect(card.getByRole('alert')).toHaveCount(0);
  }
});
