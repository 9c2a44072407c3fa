import { settingsUpdate } from '@meridian/contract';
import { expect, test } from './support/test.ts';

/** The code of a key that an input method takes for itself. */
const PROCESSED = 229;

test('keys that an input method takes neither confirm nor close a question', async ({
  page,
  app,
}) => {
  await app.open('/settings');
  await page.getByRole('switch', { name: 'Service suspension' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Suspend Service' });
  const reason = dialog.getByLabel('Reason (optional)');
  await reason.focus();
  const keyboard = await page.context().newCDPSession(page);
  const press = (key: string) =>
    keyboard.send('Input.dispatchKeyEvent', {
      type: 'rawKeyDown',
      key,
      code: key,
      windowsVirtualKeyCode: PROCESSED,
    });
  const compose = (text: string) =>
    keyboard.send('Input.imeSetComposition', { text, selectionStart: 0, selectionEnd: 0 });

  await compose('しょうがい');
  await press('Escape');
  await press('Enter');
  await expect(reason).toBeVisible();
  await keyboard.send('Input.insertText', { text: '障害' });
  // Safari tells of the key that chose the word only after the composition has ended.
  await press('Enter');
  await expect(reason).toHaveValue('障害');
  expect(app.callsTo(settingsUpdate)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Service suspension is now on')).toBeVisible();
});
