import { join } from 'node:path';
import {
  chooseLastDay,
  handleOf,
  issueTicket,
  people,
  redeem,
  signInPerson,
  test,
} from './support/people-page.ts';
import { expect } from './support/test.ts';

/* Where the keyboard is after a press that takes away what was pressed, and what is heard there. */

const PICTURES = ['cat-1.webp', 'coast-1.webp'].map((name) =>
  join(import.meta.dirname, '../demo/pictures', name),
);

test('a post that is cancelled and deleted leaves the focus in its list', async ({
  page,
  service,
}) => {
  await signInPerson(page, service.url, handleOf('focus'));
  await people.text(page).fill('Not for long');
  await chooseLastDay(page);
  await people.schedule(page).press('Enter');
  const post = people.post(page, 'Not for long');
  const heading = page.getByRole('heading', { name: 'Your posts' });
  await post.getByRole('button', { name: 'Cancel' }).press('Enter');
  await page.getByRole('button', { name: 'Cancel post' }).press('Enter');
  await expect(post.getByText('Cancelled', { exact: true })).toBeVisible();
  await expect(heading).toBeFocused();
  await post.getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(post).toHaveCount(0);
  await expect(heading).toBeFocused();
});

test('a picture that moves keeps the focus, and one that goes leaves it in the composer', async ({
  page,
  service,
}) => {
  await signInPerson(page, service.url, handleOf('moves'));
  await redeem(page, await issueTicket(service));
  const composer = people.composer(page);
  await composer.locator('input[type=file]').setInputFiles(PICTURES);
  const altOf = (number: number) =>
    composer.getByRole('textbox', { name: `Alt text of picture ${number}` });
  await altOf(2).fill('The second');
  await composer.getByRole('button', { name: 'Move picture 2 up' }).press('Enter');
  await expect(altOf(1)).toHaveValue('The second');
  await expect(altOf(1)).toBeFocused();
  await composer.getByRole('button', { name: 'Move picture 1 down' }).press('Enter');
  await expect(altOf(2)).toHaveValue('The second');
  await expect(altOf(2)).toBeFocused();
  await composer.getByRole('button', { name: 'Remove picture 2' }).press('Enter');
  await expect(altOf(2)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'New post' })).toBeFocused();
});

test('on a phone every list of posts is in sight, and each name is heard once', async ({
  page,
  service,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const handle = handleOf('heard');
  await signInPerson(page, service.url, handle);
  await people.text(page).fill('To be heard');
  await people.schedule(page).click();
  await expect(people.post(page, 'To be heard')).toBeVisible();
  for (const name of ['Upcoming', 'Published', 'Failed', 'Cancelled']) {
    const tab = page.getByRole('button', { name, exact: true });
    await tab.scrollIntoViewIfNeeded();
    await expect(tab).toBeInViewport({ ratio: 1 });
  }
  const row = page.getByRole('navigation', { name: 'Posts by status' }).getByRole('list');
  expect(await row.evaluate((list) => list.scrollWidth - list.clientWidth)).toBeLessThanOrEqual(0);

  await expect(page.getByRole('button', { name: handle })).toHaveAccessibleName(handle);
  await expect(people.composer(page).getByRole('button', { name: /pictures/i })).toHaveCount(1);
  // Which post a button is about.
  await expect(
    people.post(page, 'To be heard').getByRole('button', { name: 'Delete' }),
  ).toHaveAccessibleDescription(/^Scheduled.*\d/);
});
