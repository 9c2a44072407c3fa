import { randomUUID } from 'node:crypto';
import { gate } from './support/gate.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { handleOf, people, signInPerson, test } from './support/people-page.ts';
import { accessKeywordCreate, accessKeywordList } from '@meridian/contract/access-keywords';
import { settingsUpdate } from '@meridian/contract/settings';
import { expect, rememberToken } from './support/test.ts';

test('an access keyword lets newcomers in until it is revoked', async ({
  page,
  browser,
  service,
}) => {
  const word = `sesame-${randomUUID().slice(0, 8)}`;
  await rememberToken(page, await service.token());
  await watchLayoutShift(page);
  await page.goto(`${service.url}/settings`);
  const card = page.getByRole('region', { name: 'Access keywords' });
  await expect(card.getByRole('button', { name: 'Create Keyword' })).toBeVisible();
  await expectNoLayoutShift(page);
  const link = card.getByRole('link', { name: "Try the people's side" });
  await expect(link).toHaveAttribute('href', '/me');
  await card.getByRole('textbox', { name: 'Keyword' }).fill('abc');
  await card.getByRole('button', { name: 'Create Keyword' }).click();
  await expect(card.getByText('At least 6 characters')).toBeVisible();
  await expect(card.getByRole('textbox', { name: 'Keyword' })).toBeFocused();
  await card.getByRole('textbox', { name: 'Keyword' }).fill(word);
  await card.getByRole('spinbutton', { name: 'Uses' }).fill('0');
  await card.getByRole('button', { name: 'Create Keyword' }).click();
  await expect(card.getByRole('spinbutton', { name: 'Uses' })).toBeFocused();
  await card.getByRole('spinbutton', { name: 'Uses' }).fill('5');
  // What is typed while it is being saved would be cleared with the rest.
  const { opened, open } = gate();
  await page.route(`**${accessKeywordCreate.path}`, async (route) => {
    if (route.request().method() === 'POST') await opened;
    await route.continue();
  });
  await card.getByRole('button', { name: 'Create Keyword' }).click();
  for (const field of [
    card.getByRole('textbox', { name: 'Keyword' }),
    card.getByRole('spinbutton', { name: 'Uses' }),
    card.getByLabel('Expires (optional)'),
  ]) {
    await expect(field).not.toBeEditable();
  }
  open();
  const row = card.getByRole('row', { name: new RegExp(word) });
  await expect(row.getByText('0 of 5')).toBeVisible();
  await expectAccessibleInTwoLooks(page);

  await service.call(settingsUpdate, { body: { is_closed_beta: true } });
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(`${service.url}/me`);
  await people.handle(visitor).fill(handleOf('late'));
  await visitor.getByRole('button', { name: 'Sign in with Bluesky' }).click();
  await visitor.getByRole('button', { name: 'Allow' }).click();
  await expect(visitor.getByText('This service is in closed beta.')).toBeVisible();
  await visitor.getByRole('textbox', { name: 'Access keyword' }).fill(word.toUpperCase());
  await visitor.getByRole('button', { name: 'Sign in with Bluesky' }).click();
  await visitor.getByRole('button', { name: 'Allow' }).click();
  await expect(people.text(visitor)).toBeVisible();

  await page.reload();
  await expect(row.getByText('1 of 5')).toBeVisible();
  await row.getByRole('button', { name: `Revoke ${word}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(row.getByText('Revoked', { exact: true })).toBeVisible();
  // The person who came with it stays.
  await visitor.reload();
  await expect(people.text(visitor)).toBeVisible();
  await service.call(settingsUpdate, { body: { is_closed_beta: false } });
  await visitor.context().close();
});

test('half an expiry of an access keyword is not taken for none', async ({ page, service }) => {
  const word = `sesame-${randomUUID().slice(0, 8)}`;
  await rememberToken(page, await service.token());
  await page.goto(`${service.url}/settings`);
  const card = page.getByRole('region', { name: 'Access keywords' });
  const keyword = card.getByRole('textbox', { name: 'Keyword' });
  const expires = card.getByLabel('Expires (optional)');
  await keyword.fill(word);
  await expires.focus();
  await page.keyboard.type('12312098');
  await card.getByRole('button', { name: 'Create Keyword' }).click();
  await expect(expires).toHaveAccessibleDescription(/needs both a date and a time/);
  await expect(expires).toBeFocused();
  expect(
    (await service.call(accessKeywordList)).accessKeywords.map((one) => one.word),
  ).not.toContain(word);
  // Leaving asks first, as every form does.
  await page.getByRole('link', { name: 'Plans', exact: true }).click();
  const question = page.getByRole('alertdialog', { name: 'Discard unsaved changes?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(keyword).toHaveValue(word);

  await expires.fill('2098-12-31T23:00');
  await card.getByRole('button', { name: 'Create Keyword' }).click();
  await expect(card.getByRole('row', { name: new RegExp(word) })).toContainText(
    '31 Dec 2098, 23:00',
  );
  await page.getByRole('link', { name: 'Plans', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Plans' })).toBeVisible();
});

test('an administrator sees the account of a user and disconnects it', async ({
  page,
  browser,
  service,
}) => {
  const person = await (await browser.newContext()).newPage();
  const handle = handleOf('account');
  await signInPerson(person, service.url, handle);
  await rememberToken(page, await service.token());
  await page.goto(`${service.url}/users?search=${handle}`);
  await page
    .getByRole('link', { name: new RegExp(handle) })
    .first()
    .click();
  const card = page.getByRole('region', { name: 'Account', exact: true });
  await expect(card.getByText('Connected', { exact: true })).toBeVisible();
  await expectAccessibleInTwoLooks(page);
  await card.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(card.getByText('To be connected again')).toBeVisible();
  await person.reload();
  await expect(person.getByText(/^Your Bluesky account is not connected/)).toBeVisible();
  await person.getByRole('main').getByRole('button', { name: 'Connect again' }).click();
  await person.getByRole('button', { name: 'Allow' }).click();
  await expect(people.text(person)).toBeVisible();
  await expect(person.getByText(/is not connected/)).toHaveCount(0);
  await person.context().close();
});
