import { currencyList, settingsGet, settingsUpdate } from '@meridian/contract';
import type { Settings } from '@meridian/contract';
import { gate } from './support/gate.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import {
  currencies,
  currencyRow,
  OFF,
  openSettings,
  service,
  SETTINGS_GBP,
  SETTINGS_USD,
} from './support/settings-page.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

test('says when a switch was last turned', async ({ page, standIn }) => {
  await openSettings(page, standIn);
  await expect(service(page).getByText('Last updated')).toBeVisible();
  await expect(service(page).getByText('14 Nov 2026, 10:30')).toBeVisible();
});

test('is no wider than 720 px, and says whom it affects', async ({ page, standIn }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openSettings(page, standIn);
  await expect(page.getByText('Service access and currencies')).toBeVisible();
  await expect(
    service(page).getByText("These affect every user. You'll be asked to confirm."),
  ).toBeVisible();
  for (const card of [service(page), currencies(page)]) {
    expect((await card.boundingBox())?.width).toBe(720);
  }
});

const FLAGS = [
  {
    label: 'Closed beta',
    name: 'is_closed_beta',
    effect:
      'Closed beta: only users with access keywords can use the service; existing users are unaffected.',
    end: 'Everyone can use the service again, with or without an access keyword.',
  },
  {
    label: 'Service suspension',
    name: 'is_service_suspended',
    effect: 'Suspension: all users cannot access the service and scheduled posts are not executed.',
    end: 'All users can access the service again and scheduled posts are executed.',
  },
] as const;

for (const { label, name, effect, end } of FLAGS) {
  test.describe(label, () => {
    test('warns of the effect, and moves only after Confirm', async ({ page, standIn }) => {
      let settings = OFF;
      await openSettings(page, standIn);
      const slow = gate();
      standIn.on(settingsGet, () => ({ body: settings }));
      standIn.on(settingsUpdate, ({ body }) => {
        // The console sends nothing but the flag that changes.
        settings = { ...settings, ...(body as Partial<Settings>), updated_at: '2026-11-15T08:00Z' };
        return { body: settings, until: slow.opened };
      });
      const toggle = service(page).getByRole('switch', { name: label });
      await expect(toggle).not.toBeChecked();
      await expect(service(page).getByText('14 Nov 2026, 10:30')).toBeVisible();

      await toggle.click();
      const dialog = page.getByRole('alertdialog');
      await expect(dialog).toContainText(effect);
      await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await expect(toggle).not.toBeChecked();
      await expect(toggle).toBeFocused();
      expect(standIn.callsTo(settingsUpdate)).toEqual([]);

      await toggle.press('Space');
      await dialog.getByRole('button', { name: 'Confirm' }).dblclick();
      await expect(dialog.getByText('Saving...')).toBeVisible();
      await expect(toggle).not.toBeChecked();
      slow.open();
      await expect(dialog).toHaveCount(0);
      await expect(toggle).toBeChecked();
      await expect(page.getByText(`${label} is now on`, { exact: true })).toBeVisible();
      await expect(service(page).getByText('15 Nov 2026, 09:00')).toBeVisible();
      expect(standIn.callsTo(settingsUpdate).map(({ body }) => body)).toEqual([{ [name]: true }]);

      await toggle.click();
      await expect(dialog).toContainText(end);
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await expect(toggle).not.toBeChecked();
      await expect(page.getByText(`${label} is now off`, { exact: true })).toBeVisible();
      expect(standIn.callsTo(settingsUpdate).at(-1)?.body).toEqual({ [name]: false });
    });

    test('that cannot be saved says so in the dialog and stays', async ({ page, standIn }) => {
      await openSettings(page, standIn);
      standIn.on(settingsUpdate, { cut: true });
      const toggle = service(page).getByRole('switch', { name: label });
      await toggle.click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await expect(dialog.getByRole('alert')).toContainText('Failed to update settings');
      standIn.on(settingsUpdate, { status: 503, body: { message: 'Back in a minute' } });
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await expect(dialog.getByRole('alert')).toContainText('Back in a minute');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(toggle).not.toBeChecked();
    });
  });
}

test('a failure in one card leaves the other alive', async ({ page, standIn }) => {
  standIn.on(settingsGet, { cut: true }).on(currencyList, { body: { currencies: [SETTINGS_USD] } });
  await visit(page, standIn, '/settings');
  await expect(service(page).getByRole('alert')).toContainText('Failed to load service settings');
  await expect(currencyRow(page, 'USD')).toBeVisible();

  standIn.on(currencyList, { cut: true }).on(settingsGet, { body: OFF });
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

test('settings that fail to load can be retried', async ({ page, standIn }) => {
  standIn.on(settingsGet, { status: 500, body: { message: 'Resting' } });
  standIn.on(currencyList, { body: { currencies: [] } });
  await visit(page, standIn, '/settings');
  await expect(service(page).getByRole('alert')).toContainText('Resting');
  standIn.on(settingsGet, { body: { ...OFF, is_closed_beta: true } });
  await service(page).getByRole('button', { name: 'Retry' }).click();
  await expect(service(page).getByRole('switch', { name: 'Closed beta' })).toBeChecked();
});

test('loads without moving anything, and is accessible', async ({ page, standIn }) => {
  const answer = gate();
  standIn.on(settingsGet, { body: OFF, until: answer.opened });
  standIn.on(currencyList, {
    body: { currencies: [SETTINGS_USD, SETTINGS_GBP] },
    until: answer.opened,
  });
  await watchLayoutShift(page);
  await visit(page, standIn, '/settings');
  await expect(page.getByText('Loading...')).toBeVisible();
  await expect(page.getByRole('switch')).toHaveCount(0);
  answer.open();
  await expect(page.getByRole('switch')).toHaveCount(2);
  await expect(currencyRow(page, 'GBP')).toBeVisible();
  await expectNoLayoutShift(page);
  await expectAccessibleInTwoLooks(page);
});

test('on the real server a switch holds, and so does a currency', async ({
  signedIn: page,
  meridian,
}) => {
  await page.goto(`${meridian.url}/settings`);
  const toggle = service(page).getByRole('switch', { name: 'Closed beta' });
  const { is_closed_beta: before } = await meridian.call(settingsGet);
  for (const isOn of [!before, before === true]) {
    await toggle.click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
    await expect(toggle).toBeChecked({ checked: isOn });
    expect((await meridian.call(settingsGet)).is_closed_beta).toBe(isOn);
  }
  const isActive = async () => {
    const answer = await meridian.call(currencyList, { query: { includeInactive: true } });
    return answer.currencies.find(({ code }) => code === 'jpy')?.isActive;
  };
  await currencyRow(page, 'JPY').getByRole('button', { name: 'Deactivate' }).click();
  await expect(currencyRow(page, 'JPY').getByText('Inactive')).toBeVisible();
  expect(await isActive()).toBe(false);
  await currencyRow(page, 'JPY').getByRole('button', { name: 'Activate' }).click();
  await expect(currencyRow(page, 'JPY').getByRole('button', { name: 'Deactivate' })).toBeVisible();
  expect(await isActive()).toBe(true);
});

test('everything in the cards begins at the same distance from their edge', async ({
  page,
  standIn,
}) => {
  await openSettings(page, standIn);
  await expect(currencyRow(page, 'USD')).toBeVisible();
  const starts = await Promise.all(
    [
      page.getByRole('heading', { name: 'Service', exact: true }),
      page.getByRole('heading', { name: 'Currencies' }),
      page.getByText('Last updated'),
      page.getByRole('navigation', { name: 'Currencies shown' }),
      page.getByText('USD', { exact: true }),
    ].map(async (part) => (await part.boundingBox())?.x),
  );
  expect(new Set(starts).size).toBe(1);
});
