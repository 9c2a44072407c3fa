import { navigate } from './support/navigate.ts';
import { findSampleIds, SCREENS } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { expectRoomForLargeText } from './support/text-size.ts';

test('letters twice as large leave every screen whole', async ({ signedIn: page, meridian }) => {
  test.slow();
  const ids = await findSampleIds(meridian);
  await page.goto(`${meridian.url}/audit`);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expectRoomForLargeText(page);
  for (const { name, path, settled } of SCREENS.filter(({ isPublic }) => !isPublic)) {
    await test.step(name, async () => {
      await navigate(page, path(ids));
      await expect(settled(page)).toBeVisible();
      await expectRoomForLargeText(page);
    });
  }
});
