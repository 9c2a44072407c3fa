import { meLinkCard } from '@meridian/contract/me/posts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { expectAccessibleInEveryLook, expectAccessibleInTwoLooks } from './support/looks.ts';
import {
  addPictures,
  chooseLastDay,
  handleOf,
  issueTicket,
  people,
  redeem,
  schedule,
  setTime,
  signInPerson,
  test,
} from './support/people-page.ts';
import { expect } from './support/test.ts';
import { expectRoomForLargeText } from './support/text-size.ts';

const KB = 1000;

test('a post is changed, cancelled and deleted', async ({ page, service }) => {
  await signInPerson(page, service.url, handleOf('changes'));
  await people.text(page).fill('First words');
  await chooseLastDay(page);
  await people.schedule(page).click();
  await people.post(page, 'First words').getByRole('button', { name: 'Edit' }).click();
  await expect(people.text(page)).toBeFocused();
  await people.text(page).fill('Better words');
  await page.getByRole('button', { name: 'Save changes' }).click();
  const post = people.post(page, 'Better words');
  await expect(post).toBeVisible();
  await expect(people.text(page)).toHaveValue('');
  await post.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Cancel post' }).click();
  await expect(post.getByText('Cancelled', { exact: true })).toBeVisible();
  await post.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(post).toHaveCount(0);
});

test('counts characters by the plan, and says what is too much', async ({ page, service }) => {
  await signInPerson(page, service.url, handleOf('counter'));
  await people.text(page).fill('👨‍👩‍👧‍👦'.repeat(301));
  await expect(people.composer(page).getByText('301 of 300 characters')).toBeAttached();
  await people.schedule(page).click();
  await expect(people.composer(page).getByRole('alert')).toContainText('1 character too long');
  await expect(people.text(page)).toHaveAccessibleDescription(/1 character too long/);
  await people.text(page).fill('👨‍👩‍👧‍👦'.repeat(300));
  await expect(people.composer(page).getByRole('alert')).toHaveCount(0);
  await expect(people.text(page)).toHaveAttribute('aria-invalid', 'false');
  await expect(page.getByRole('button', { name: 'Add to thread' })).toHaveCount(0);
  await redeem(page, await issueTicket(service));
  const composer = people.composer(page);
  await people.text(page).fill('One');
  await composer.getByRole('button', { name: 'Add to thread' }).click();
  await people.schedule(page).click();
  await expect(composer.getByRole('alert')).toContainText('Post 2 of the thread is empty');
  const part = (number: number) =>
    composer.getByRole('textbox', { name: `Post ${number} of the thread` });
  await expect(part(1)).toHaveAttribute('aria-invalid', 'false');
  await expect(part(2)).toHaveAccessibleDescription(/Post 2 of the thread is empty/);
});

test('is told which plan holds after a code for a lower one', async ({ page, service }) => {
  await signInPerson(page, service.url, handleOf('lower'));
  await redeem(page, await issueTicket(service));
  const plan = page.getByRole('region', { name: 'Your plan' });
  await redeem(page, await issueTicket(service, 'creator'));
  await expect(plan.getByRole('status')).toContainText(
    /Redeemed: Creator.* Your plan Studio is higher and still holds/,
  );
  await expect(plan.getByText('Studio', { exact: true })).toBeVisible();
});

test('is told that a file is no picture', async ({ page, service }) => {
  await signInPerson(page, service.url, handleOf('files'));
  const composer = people.composer(page);
  const choose = (name: string, mimeType: string) =>
    composer
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType, buffer: Buffer.from('<svg onload="alert(1)"/>') });
  await choose('notes.txt', 'text/plain');
  await expect(composer.getByText('Only pictures can be added.')).toBeVisible();
  await expect(composer.getByRole('list', { name: 'Pictures' })).toHaveCount(0);
  await choose('picture.png', 'image/png');
  await expect(composer.getByText('This file is not a picture that')).toBeVisible();
  await people.text(page).fill('Without it');
  await people.schedule(page).click();
  await expect(composer.getByText(/^A picture is not uploaded yet/)).toBeVisible();
  await composer.getByRole('button', { name: 'Remove this picture' }).click();
  await people.schedule(page).click();
  await expect(people.post(page, 'Without it')).toBeVisible();
});

test('hears a text in its language', async ({ page, service }) => {
  await signInPerson(page, service.url, handleOf('language'));
  await expect(people.text(page)).toHaveAttribute('lang', 'en');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Japanese');
  await expect(people.text(page)).toHaveAttribute('lang', 'ja');
  await people.text(page).fill('明日も晴れます');
  await people.schedule(page).click();
  await expect(people.post(page, '明日').locator('p:lang(ja)')).toHaveText('明日も晴れます');
  await expect(people.post(page, '明日').getByText('Scheduled')).toHaveCount(1);
});

test('hears the pictures and the link of a post in its language', async ({ page, service }) => {
  const card = {
    uri: 'https://umi.example.test/',
    title: '海',
    description: '潮の話',
    media: null,
  };
  await page.route(`**${meLinkCard.path}`, (route) => route.fulfill({ json: { card } }));
  await signInPerson(page, service.url, handleOf('parts'));
  await redeem(page, await issueTicket(service));
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Japanese');
  const inJapanese = people.composer(page).locator('bdi:lang(ja)');
  await people.text(page).fill(`読む ${card.uri}`);
  await expect(inJapanese).toHaveText([card.title, card.description]);
  await schedule(page);
  const linked = people.post(page, '読む');
  await expect(linked.locator('bdi:lang(ja)')).toHaveText([card.title, card.description]);

  await people.text(page).fill('見る');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Japanese');
  await addPictures(page);
  const alt = page.getByRole('textbox', { name: 'Alt text of picture 1' });
  await expect(alt).toHaveAttribute('lang', 'ja');
  await alt.fill('猫');
  await people.schedule(page).click();
  const pictures = people.post(page, '見る').getByRole('img');
  await expect(pictures.and(page.locator(':lang(ja)'))).toHaveAccessibleName('猫');
  await expect(pictures.and(page.locator(':lang(en)'))).toHaveAccessibleName(
    'Picture without a description',
  );
});

test('is told offline that nothing is lost', async ({ page, context, service }) => {
  await signInPerson(page, service.url, handleOf('offline'));
  await context.setOffline(true);
  await expect(page.getByText('You are offline. What you write is kept')).toBeVisible();
  await people.text(page).fill('Written on a train');
  await people.schedule(page).click();
  await expect(people.composer(page).getByRole('alert')).toContainText('You are offline');
  await context.setOffline(false);
  await expect(people.composer(page).getByRole('alert')).toHaveCount(0);
  await people.schedule(page).click();
  await expect(people.post(page, 'Written on a train')).toBeVisible();
});

test.describe('on the clock of UTC', () => {
  test.use({ timezoneId: 'UTC' });

  test('opens without moving anything, within 110 kB, and is accessible in every look', async ({
    page,
    service,
  }) => {
    // The next free slot is at 11:10, and at the wider 11:20 once the post has taken that one.
    await setTime(page, new Date().setUTCHours(11 + 24, 1, 0, 0));
    await signInPerson(page, service.url, handleOf('looks'));
    await people.text(page).fill('To be looked at');
    await people.schedule(page).click();
    await expect(people.post(page, 'To be looked at')).toBeVisible();

    await watchLayoutShift(page);
    const sizes: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      const isFont = request.resourceType() === 'font';
      if (request.url().includes('/me') && !request.url().includes('/api/') && !isFont) {
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
      }
    });
    // A first visit, with an empty cache.
    const session = await page.context().newCDPSession(page);
    await session.send('Network.clearBrowserCache');
    const composer = Promise.withResolvers<void>();
    await page.route('**/api/me/posts*', async (route) => {
      await composer.promise;
      await route.fallback();
    });
    await page.reload();
    await expect(people.schedule(page)).toBeVisible();
    await expect(people.composer(page)).toContainText('11:10 (UTC)');
    composer.resolve();
    await expect(people.post(page, 'To be looked at')).toBeVisible();
    await expect(people.composer(page)).toContainText('11:20 (UTC)');
    await expectNoLayoutShift(page);
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(60 * KB);
    expect(bytes).toBeLessThanOrEqual(110 * KB);
    await expectAccessibleInEveryLook(page);
    await expectRoomForLargeText(page);
    await chooseLastDay(page);
    await expectRoomForLargeText(page);
  });
});

test('is accessible signed out, in its menu and in its dialogs', async ({ page, service }) => {
  await page.goto(`${service.url}/me?error=closed_beta`);
  await expect(page.getByRole('textbox', { name: 'Access keyword' })).toBeVisible();
  await expect(page.getByText('This service is in closed beta.')).toBeVisible();
  await expectAccessibleInTwoLooks(page);
  const handle = handleOf('menu');
  await signInPerson(page, service.url, handle);
  await page.getByRole('button', { name: handle }).click();
  await expectAccessibleInTwoLooks(page);
  await page.getByRole('menuitem', { name: 'Delete my data' }).click();
  await expectAccessibleInTwoLooks(page);
  await page.getByRole('button', { name: 'Delete everything' }).click();
  await expect(page.getByText(`Type ${handle} to confirm.`)).toBeVisible();
  await page.getByRole('textbox', { name: /^Type your handle/ }).fill(handle);
  await page.getByRole('button', { name: 'Delete everything' }).click();
  await expect(people.handle(page)).toBeVisible();
});

test('the accounts to choose from are read whole on a small screen', async ({ page, service }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`${service.url}/me`);
  await people.handle(page).fill(`${'long-'.repeat(6)}handle.example`);
  await page.getByRole('button', { name: 'Sign in with Bluesky' }).click();
  await expect(page.getByRole('radio').first()).toBeVisible();
  const cut = await page
    .locator('label bdi')
    .evaluateAll((names) => names.filter((name) => name.scrollWidth > name.clientWidth).length);
  expect(cut).toBe(0);
});

test('is used by keyboard alone', async ({ page, service }) => {
  const handle = handleOf('keys');
  await page.goto(`${service.url}/me`);
  await people.handle(page).focus();
  await page.keyboard.type(handle);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Allow' }).press('Enter');
  await people.text(page).focus();
  await page.keyboard.type('Typed');
  await people.schedule(page).press('Enter');
  await expect(people.post(page, 'Typed')).toBeVisible();
  await page.getByRole('button', { name: handle }).press('Enter');
  await expect(page.getByRole('menuitemradio', { name: 'System' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: handle })).toBeFocused();
});
