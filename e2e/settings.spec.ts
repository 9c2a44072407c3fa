import { currencyList, settingsGet, settingsUpdate } from '@meridian/contract';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { currencies, currencyRow, service } from './support/settings-page.ts';
import { expect, test } from './support/test.ts';

test('opens without moving anything, in cards of 720 px, and says whom it affects', async ({
  page,
  app,
}) => {
  const [settings, listed] = [await app.hold(settingsGet), await app.hold(currencyList)];
  await watchLayoutShift(page);
  await app.open('/settings');
  await expect(page.getByText('Loading...')).toBeVisible();
  await expect(page.getByRole('switch')).toHaveCount(0);
  settings.release();
  listed.release();
  await expect(page.getByRole('switch')).toHaveCount(2);
  await expect(currencyRow(page, 'GBP')).toBeVisible();
  await expectNoLayoutShift(page);
  await expect(page.getByText('Service access and currencies')).toBeVisible();
  await expect(
    service(page).getByText("These affect every user. You'll be asked to confirm."),
  ).toBeVisible();
  await expect(service(page).getByText('Last updated')).toBeVisible();
  for (const card of [service(page), currencies(page)]) {
    expect((await card.boundingBox())?.width).toBe(720);
  }
  // Everything in the cards begins at the same distance from their edge.
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
  await expectAccessibleInTwoLooks(page);
});

for (const { label, name, effect, end } of [
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
] as const) {
  // Proves 1.7, 2.137, 2.138, 2.139, 2.140, 2.141, 4.31, 4.35, 5.31, 7.10
  test(`${label} warns of the effect, and moves only after Confirm`, async ({
    page,
    app,
    catalogue,
  }) => {
    await catalogue.settingsChangedAt('2026-11-14T09:30:00.000Z');
    await app.open('/settings');
    const toggle = service(page).getByRole('switch', { name: label });
    await expect(toggle).not.toBeChecked();
    await expect(service(page).getByText('Last updated')).toBeVisible();
    await expect(service(page).getByText('14 Nov 2026, 10:30')).toBeVisible();

    await toggle.click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog).toContainText(effect);
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(toggle).not.toBeChecked();
    await expect(toggle).toBeFocused();
    expect(app.callsTo(settingsUpdate)).toEqual([]);

    const held = await app.hold(settingsUpdate);
    await toggle.press('Space');
    await dialog.getByRole('button', { name: 'Confirm' }).dblclick();
    await expect(dialog.getByText('Saving...')).toBeVisible();
    await expect(toggle).not.toBeChecked();
    held.release();
    await expect(dialog).toHaveCount(0);
    await expect(toggle).toBeChecked();
    await expect(page.getByText(`${label} is now on`, { exact: true })).toBeVisible();
    // The time of the last update has moved.
    await expect(service(page).getByText('14 Nov 2026, 10:30')).toHaveCount(0);
    const other = name === 'is_closed_beta' ? 'is_service_suspended' : 'is_closed_beta';
    expect(await app.meridian.call(settingsGet)).toMatchObject({ [name]: true, [other]: false });

    await toggle.click();
    await expect(dialog).toContainText(end);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(toggle).not.toBeChecked();
    await expect(page.getByText(`${label} is now off`, { exact: true })).toBeVisible();
    expect(await app.meridian.call(settingsGet)).toMatchObject({ [name]: false, [other]: false });
    // The console sends nothing but the flag that changes.
    expect(app.callsTo(settingsUpdate).map(({ method, body }) => [method, body])).toEqual([
      ['PATCH', { [name]: true }],
      ['PATCH', { [name]: false }],
    ]);
  });
}
