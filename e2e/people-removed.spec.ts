import { meLinkCard } from '@meridian/contract/me/posts';
import { handleOf, people, signInPerson, test } from './support/people-page.ts';
import { expect } from './support/test.ts';

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
