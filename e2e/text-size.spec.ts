import { ticketList } from '@meridian/contract';
import { navigate } from './support/navigate.ts';
import { findSampleIds, SCREENS } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { expectRoomForLargeText } from './support/text-size.ts';

/** One of the awkward posts of the demonstration data, which keep their ids. */
const PENDING_POST = '/posts/5c4ed000-0000-4000-8000-000000000010';

test('letters twice as large leave every screen whole', async ({ signedIn: page, meridian }) => {
  test.slow();
  const ids = await findSampleIds(meridian);
  const { tickets } = await meridian.call(ticketList);
  const changed = tickets.find(({ limitsOverride }) => limitsOverride !== null);
  await page.goto(`${meridian.url}/audit`);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expectRoomForLargeText(page);
  await test.step('what only some tickets and posts show', async () => {
    await navigate(page, `/tickets/${changed?.id}`);
    await expect(page.getByText('Override').first()).toBeVisible();
    await expectRoomForLargeText(page);
    await navigate(page, PENDING_POST);
    await expect(page.getByRole('button', { name: 'Cancelled' })).toBeVisible();
    await expectRoomForLargeText(page);
  });
  for (const { name, path, settled } of SCREENS.filter(({ isPublic }) => !isPublic)) {
    await test.step(name, async () => {
      await navigate(page, path(ids));
      await expect(settled(page)).toBeVisible();
      await expectRoomForLargeText(page);
    });
  }
});

for (const [path, switches] of [
  ['/plans/create', ['Paid plan', 'Thread posts', 'Video upload']],
  ['/tickets/issue', ['Override plan limits']],
] as const) {
  test(`letters twice as large leave ${path} whole with all of its fields`, async ({
    signedIn: page,
    meridian,
  }) => {
    await page.goto(`${meridian.url}${path}`);
    for (const name of switches) await page.getByRole('switch', { name }).check();
    await expectRoomForLargeText(page);
  });
}
