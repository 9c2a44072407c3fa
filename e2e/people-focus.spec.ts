import {
  addPictures,
  chooseLastDay,
  handleOf,
  issueTicket,
  people,
  redeem,
  signInPerson,
  test,
} from './support/people-page.ts';
import { expect, expectAccessible } from './support/test.ts';

/* Where the keyboard is after a press that takes away what was pressed, and what is heard there. */

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
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(heading).toBeFocused();
  await post.getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(post).toHaveCount(0);
  await expect(heading).toBeFocused();
});

test('a post that is deleted while the list is read stays away', async ({ page, service }) => {
  await signInPerson(page, service.url, handleOf('overtaken'));
  await people.text(page).fill('Not for long');
  await chooseLastDay(page);
  await people.schedule(page).press('Enter');
  const post = people.post(page, 'Not for long');
  await post.getByRole('button', { name: 'Cancel' }).press('Enter');
  await page.getByRole('button', { name: 'Cancel post' }).press('Enter');
  await expect(post.getByText('Cancelled', { exact: true })).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await post.getByRole('button', { name: 'Delete' }).press('Enter');
  const listRead = Promise.withResolvers<void>();
  const listAnswered = Promise.withResolvers<void>();
  // The server tells of the change, so the list is read before the answer to the press is there.
  await page.route('**/api/me/posts/*', async (route) => {
    const response = await route.fetch();
    await listRead.promise;
    await route.fulfill({ response });
  });
  await page.route('**/api/me/posts?status=PENDING*', async (route) => {
    const response = await route.fetch();
    listRead.resolve();
    await listAnswered.promise;
    await route.fulfill({ response });
  });
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(page.getByText('Post deleted')).toBeVisible();
  await expect(post).toHaveCount(0);
  const readAgain = page.waitForResponse(/status=PENDING/u);
  listAnswered.resolve();
  await readAgain;
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(post).toHaveCount(0);
});

test('a picture that moves keeps the focus, and one that goes leaves it in the composer', async ({
  page,
  service,
}) => {
  await signInPerson(page, service.url, handleOf('moves'));
  await redeem(page, await issueTicket(service));
  const composer = people.composer(page);
  await addPictures(page);
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
  // A further post of the thread is there to be written.
  await composer.getByRole('button', { name: 'Add to thread' }).press('Enter');
  await expect(composer.getByRole('textbox', { name: 'Post 2 of the thread' })).toBeFocused();
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

test('signing in leads the keyboard to what has to be filled in', async ({ page, service }) => {
  await page.goto(`${service.url}/me`);
  await expect(page).toHaveTitle('Schedule posts · Meridian');
  await page.getByRole('button', { name: 'Sign in with Bluesky' }).press('Enter');
  await expect(people.handle(page)).toBeFocused();
  await expect(people.handle(page)).toHaveAccessibleDescription(/^Enter your handle/);
  await people.handle(page).fill('nobody here');
  await people.handle(page).press('Enter');
  await expect(people.handle(page)).toHaveAccessibleDescription(/^There is no account/);
  await expect(people.handle(page)).toHaveAttribute('aria-invalid', 'true');
  // The button makes room for the field.
  await page.getByRole('button', { name: 'I have an access keyword' }).press('Enter');
  await expect(page.getByRole('textbox', { name: 'Access keyword' })).toBeFocused();
});

test('a code and a handle that are missing or refused are told at their fields', async ({
  page,
  service,
}) => {
  const handle = handleOf('fields');
  await signInPerson(page, service.url, handle);
  const code = page.getByRole('textbox', { name: 'Redeem a code' });
  await page.getByRole('button', { name: 'Redeem' }).press('Enter');
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute('aria-invalid', 'true');
  await expect(code).toHaveAccessibleDescription('Enter your code');
  await code.fill('NO-SUCH-CODE');
  await code.press('Enter');
  await expect(code).toHaveAccessibleDescription(/^There is no ticket with this code/);
  await expect(code).toHaveAttribute('aria-invalid', 'true');

  await people.text(page).fill('x'.repeat(301));
  await expect(people.text(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(people.text(page)).toHaveAccessibleDescription('301 of 300 characters');
  await people.text(page).fill('x'.repeat(300));
  await expect(people.text(page)).toHaveAttribute('aria-invalid', 'false');

  await page.getByRole('button', { name: handle }).press('Enter');
  await page.getByRole('menuitem', { name: 'Delete my data' }).press('Enter');
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Delete everything' }).press('Enter');
  await expect(dialog.getByRole('textbox')).toBeFocused();
  await expect(dialog.getByRole('textbox')).toHaveAccessibleDescription(
    `Type ${handle} to confirm.`,
  );
});

test('Enter in the field of a question confirms it', async ({ page, service }) => {
  const handle = handleOf('enters');
  await signInPerson(page, service.url, handle);
  await page.getByRole('button', { name: handle }).press('Enter');
  await page.getByRole('menuitem', { name: 'Delete my data' }).press('Enter');
  const field = page.getByRole('alertdialog').getByRole('textbox');
  await field.press('Enter');
  await expect(field).toHaveAccessibleDescription(`Type ${handle} to confirm.`);
  await field.fill(handle);
  await field.press('Enter');
  await expect(page.getByRole('heading', { name: 'Schedule posts to Bluesky' })).toBeFocused();
});

test('signing out leaves the focus on the heading of the next page', async ({ page, service }) => {
  const handle = handleOf('leaves');
  await signInPerson(page, service.url, handle);
  await page.getByRole('button', { name: handle }).press('Enter');
  await page.getByRole('menuitem', { name: 'Sign out' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Schedule posts to Bluesky' })).toBeFocused();
});

test('the ring of the composer is there with the focus alone, in forced colors too', async ({
  page,
  service,
}) => {
  await signInPerson(page, service.url, handleOf('ring'));
  const box = people.text(page).locator('..');
  for (const forcedColors of ['none', 'active'] as const) {
    await page.emulateMedia({ forcedColors });
    await page.getByRole('button', { name: 'Redeem' }).focus();
    await expect(box).toHaveCSS('outline-style', 'none');
    await expect(people.text(page)).toHaveCSS('outline-style', 'none');
    await people.text(page).focus();
    await expect(box).toHaveCSS('outline-style', 'solid');
    await expect(box).toHaveCSS('outline-width', '2px');
  }
});

test('a page that could not be read is accessible', async ({ page, service, complaints }) => {
  await page.route('**/api/me', (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto(`${service.url}/me`);
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
  await expectAccessible(page);

  // What those need who are not signed in could not be loaded.
  await page.unroute('**/api/me');
  await page.route(/SignInPage/, (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible();
  expect(complaints.splice(0).join()).toContain('SignInPage');
  await expectAccessible(page);
});

test('on a phone a refusal leaves the pressed button where it is, and is seen whole', async ({
  page,
  service,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signInPerson(page, service.url, handleOf('refused'));
  await people.text(page).fill('x'.repeat(330));
  await people.schedule(page).focus();
  await people.schedule(page).press('Enter');
  await expect(page.getByRole('alert')).toBeInViewport({ ratio: 1 });
  await expect(people.schedule(page)).toBeFocused();
  await expect(people.schedule(page)).toBeInViewport({ ratio: 1 });
});
