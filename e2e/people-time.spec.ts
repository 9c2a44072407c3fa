import { mePostCreate } from '@meridian/contract/me/posts';
import { handleOf, people, setTime, signInPerson, test } from './support/people-page.ts';
import { expect } from './support/test.ts';

const HOUR_MS = 60 * 60_000;

test('the next free slot is another one when the first attempt comes too late', async ({
  page,
  service,
}) => {
  await setTime(page, Date.now() - HOUR_MS);
  await signInPerson(page, service.url, handleOf('late'));
  await people.text(page).fill('From the tunnel');
  await page.route(`**${mePostCreate.path}`, (route) => route.abort());
  await people.schedule(page).click();
  await expect(people.composer(page).getByRole('alert')).toContainText('cannot be reached');
  // An hour later.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.clock.setFixedTime(Date.now());
  await page.reload();
  await people.schedule(page).click();
  await expect(people.post(page, 'From the tunnel')).toBeVisible();
});

test('a chosen time that has passed is over, in the middle of its slot too', async ({
  page,
  service,
}) => {
  await setTime(page, Date.now());
  await signInPerson(page, service.url, handleOf('over'));
  await people.text(page).fill('Later');
  await page.getByRole('button', { name: 'Choose a time' }).click();
  const when = people.composer(page).getByRole('group', { name: 'When' });
  await expect(when).toContainText('Goes out');
  const chosen = Date.parse((await when.getByRole('time').getAttribute('datetime')) ?? '');
  await setTime(page, chosen + 3 * 60_000);
  await page.reload();
  await expect(when).toContainText('That time is over');
});

test('a clock that is wrong by an hour does not matter', async ({ page, service }) => {
  await signInPerson(page, service.url, handleOf('clock'));
  for (const [earlier, hours] of [-1, 1].entries()) {
    await page.clock.setFixedTime(Date.now() + hours * HOUR_MS);
    await page.reload();
    // The next slot is free only of the posts that are there.
    const written = people.posts(page).getByRole('listitem').filter({ hasText: 'Written' });
    await expect(written).toHaveCount(earlier);
    const words = `Written ${hours} hours off`;
    await people.text(page).fill(words);
    await people.schedule(page).click();
    const time = people.post(page, words).getByRole('time');
    const scheduledAt = Date.parse((await time.getAttribute('datetime')) ?? '');
    // The next slot or, where the other post has it, the one after.
    expect(Math.abs(scheduledAt - Date.now())).toBeLessThan(HOUR_MS / 2);
  }
});

test('a day is typed digit by digit', async ({ page, service }) => {
  await signInPerson(page, service.url, handleOf('digits'));
  await page.getByRole('button', { name: 'Choose a time' }).click();
  const day = page.getByLabel('Day');
  const last = (await day.getAttribute('max')) ?? '';
  const [year = '', month = '', date = ''] = last.split('-');
  await day.focus();
  await page.keyboard.type(month + date + year);
  await expect(day).toHaveValue(last);
  await page.getByRole('combobox', { name: 'Hour' }).focus();
  await expect(day).toHaveValue(last);
});

test('a day that cannot be chosen is refused at its field, and nothing is scheduled', async ({
  page,
  service,
}) => {
  await signInPerson(page, service.url, handleOf('refused'));
  await people.text(page).fill('Next year');
  await page.getByRole('button', { name: 'Choose a time' }).click();
  const day = page.getByLabel('Day');
  const last = (await day.getAttribute('max')) ?? '';
  const when = people.composer(page).getByText('Goes out');
  await expect(when).toBeVisible();
  await day.focus();
  await page.keyboard.type('01052090');
  await page.getByRole('combobox', { name: 'Hour' }).focus();
  await expect(when).toBeHidden();
  await expect(day).toHaveValue('2090-01-05');
  await expect(day).toHaveAttribute('aria-invalid', 'true');
  await expect(day).toHaveAccessibleDescription(/^Choose a day from .+ to .+$/);
  await people.schedule(page).press('Enter');
  await expect(people.composer(page).getByRole('alert')).toContainText('Choose another day');
  await expect(people.text(page)).toHaveAttribute('aria-invalid', 'false');

  await day.fill(last);
  await expect(people.composer(page).getByRole('alert')).toHaveCount(0);
  await expect(day).not.toHaveAttribute('aria-invalid');
  await expect(when).toBeVisible();
  await people.schedule(page).press('Enter');
  await expect(people.post(page, 'Next year')).toBeVisible();
});
