import { resumePreview, settingsUpdate, suspensionUpdate } from '@meridian/contract';
import { openSettings } from './support/settings-page.ts';
import { expect, test } from './support/test.ts';

test('a server without incident mode is asked the plain question, by the plain call', async ({
  page,
  standIn,
}) => {
  await openSettings(page, standIn);
  await page.getByRole('switch', { name: 'Service suspension' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Suspend Service' });
  await expect(dialog.getByRole('button', { name: 'Confirm' })).toBeVisible();
  await expect(dialog.getByRole('textbox')).toHaveCount(0);
  await expect(dialog.getByLabel('Expected end (optional)')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect.poll(() => standIn.callsTo(settingsUpdate)).toHaveLength(1);
  expect([suspensionUpdate, resumePreview].flatMap((one) => standIn.callsTo(one))).toEqual([]);
});
