import { join } from 'node:path';
import { meLinkCard, meMediaUpload } from '@meridian/contract/me/posts';
import {
  handleOf,
  issueTicket,
  people,
  redeem,
  signInPerson,
  test,
} from './support/people-page.ts';
import { expect } from './support/test.ts';

const picture = (name: string) => join(import.meta.dirname, '../demo/pictures', name);

test('a preview that was removed stays away, however its address is written', async ({
  page,
  service,
}) => {
  let asked = 0;
  // The address as the server writes it.
  const card = { uri: 'https://example.org/', title: 'A page', description: '', media: null };
  await page.route(`**${meLinkCard.path}`, (route) => {
    asked += 1;
    return route.fulfill({ json: { card } });
  });
  await page.clock.install();
  await signInPerson(page, service.url, handleOf('preview'));
  const composer = people.composer(page);
  await people.text(page).fill('Read https://example.org');
  await page.clock.runFor(1_000);
  await expect(composer.getByText('A page')).toBeVisible();
  await composer.getByRole('button', { name: 'Remove link preview' }).click();
  await page.clock.runFor(5_000);
  await expect(composer.getByText('A page')).toHaveCount(0);
  expect(asked).toBe(1);
});

test('a picture that was removed while it was uploaded stays away', async ({ page, service }) => {
  await signInPerson(page, service.url, handleOf('removed'));
  await redeem(page, await issueTicket(service));
  const composer = people.composer(page);
  const remove = composer.getByRole('button', { name: 'Remove this picture' });
  const arrived = Promise.withResolvers<void>();
  let uploads = 0;
  await page.route(`**${meMediaUpload.path}`, async (route) => {
    uploads += 1;
    if (uploads === 1) await arrived.promise;
    return route.fallback();
  });
  const choose = (...names: string[]) =>
    composer.locator('input[type=file]').setInputFiles(names.map(picture));
  await choose('cat-1.webp', 'coast-1.webp');
  await expect(remove).toHaveCount(2);
  await expect.poll(() => uploads).toBe(1);
  await remove.last().click();
  await remove.click();
  await expect(remove).toHaveCount(0);
  const response = page.waitForResponse(`**${meMediaUpload.path}`);
  arrived.resolve();
  await response;

  await choose('cup-1.webp');
  const descriptions = composer.getByRole('textbox', { name: /^Alt text of picture/ });
  await expect(descriptions.first()).toBeVisible();
  await expect(remove).toHaveCount(0);
  await expect(descriptions).toHaveCount(1);
});
