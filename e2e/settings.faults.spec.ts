import { currencyDeactivate, currencyList, settingsGet, settingsUpdate } from '@meridian/contract';
import {
  currencies,
  currencyRow,
  OFF,
  openSettings,
  service,
  SETTINGS_USD,
} from './support/settings-page.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

// Proves 8.38
test('a switch that cannot be saved says so in the dialog and stays', async ({ page, standIn }) => {
  await openSettings(page, standIn);
  const dialog = page.getByRole('alertdialog');
  for (const label of ['Closed beta', 'Service suspension']) {
    standIn.on(settingsUpdate, { cut: true });
    const toggle = service(page).getByRole('switch', { name: label });
    await toggle.click();
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Failed to update settings');
    standIn.on(settingsUpdate, { status: 503, body: { message: 'Back in a minute' } });
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Back in a minute');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(toggle).not.toBeChecked();
  }
});

// Proves 8.12, 8.13
test('a failure in one card leaves the other alive, and can be retried', async ({
  page,
  standIn,
}) => {
  standIn.on(settingsGet, { cut: true }).on(currencyList, { body: { currencies: [SETTINGS_USD] } });
  await visit(page, standIn, '/settings');
  await expect(service(page).getByRole('alert')).toContainText('Failed to load service settings');
  await expect(currencyRow(page, 'USD')).toBeVisible();
  standIn.on(settingsGet, { status: 500, body: { message: 'Resting' } });
  await service(page).getByRole('button', { name: 'Retry' }).click();
  await expect(service(page).getByRole('alert')).toContainText('Resting');
  standIn.on(settingsGet, { body: { ...OFF, is_closed_beta: true } });
  await service(page).getByRole('button', { name: 'Retry' }).click();
  await expect(service(page).getByRole('switch', { name: 'Closed beta' })).toBeChecked();

  standIn.on(currencyList, { cut: true });
  await page.reload();
  await expect(currencies(page).getByRole('alert')).toContainText(
    'Failed to load currencies. Please refresh the page.',
  );
  await expect(service(page).getByRole('switch')).toHaveCount(2);
  standIn.on(currencyList, { body: { currencies: [SETTINGS_USD] } });
  await currencies(page).getByRole('button', { name: 'Retry' }).click();
  await expect(currencyRow(page, 'USD')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

// Proves 2.155, 8.14
test('a currency that cannot be toggled is told in a dialog with OK', async ({ page, standIn }) => {
  await openSettings(page, standIn);
  standIn.on(currencyDeactivate, { cut: true });
  const button = currencyRow(page, 'USD').getByRole('button', { name: 'Deactivate' });
  await button.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Failed to toggle currency status');
  await expect(dialog.getByRole('button', { name: 'OK' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(button).toBeFocused();
});
