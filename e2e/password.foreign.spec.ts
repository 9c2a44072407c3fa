import { authPassword, DEFAULT_PAGE_CONFIG } from '@meridian/contract';
import { fillPasswords, PASSWORD_FIELDS, submitPassword } from './support/password-page.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

test('a wrong current password is known by its words, where there is no code', async ({
  page,
  standIn,
}) => {
  const message = 'Current password is incorrect';
  standIn.on(authPassword, { status: 400, body: { message } });
  await visit(page, standIn, '/password');
  await fillPasswords(page, 'the old one', 'stapled-battery-horses');
  await submitPassword(page).click();
  await expect(PASSWORD_FIELDS.current(page)).toHaveAccessibleDescription(message);
  await expect(PASSWORD_FIELDS.current(page)).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a page that asks for longer passwords says how long, before anything is sent', async ({
  page,
  standIn,
}) => {
  standIn.pageConfig = { ...DEFAULT_PAGE_CONFIG, passwordMinLength: 20 };
  await visit(page, standIn, '/password');
  const wanted = PASSWORD_FIELDS.wanted(page);
  await expect(wanted).toHaveAccessibleDescription('At least 20 characters.');
  await fillPasswords(page, 'the old one', 'stapled-battery');
  await submitPassword(page).click();
  await expect(wanted).toHaveAccessibleDescription(/^New password must be at least 20 characters/);
  expect(standIn.callsTo(authPassword)).toEqual([]);
});
