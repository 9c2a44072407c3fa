import { findPlaces, SCREENS } from './support/screens.ts';
import { expect, rememberToken, test } from './support/test.ts';

test('every screen has one h1 of its own, and a title of its own', async ({ page, meridian }) => {
  test.slow();
  const places = await findPlaces(meridian);
  const titles = new Map<string, string>();
  for (const { name, path, heading, settled } of SCREENS) {
    await test.step(name, async () => {
      await page.goto(`${meridian.url}${path(places)}`);
      await expect(settled(page)).toBeVisible();
      const h1 = page.getByRole('heading', { level: 1 });
      await expect(h1).toHaveCount(1);
      if (heading !== null) await expect(h1).toHaveText(heading);
      const title = await page.title();
      expect(title).toMatch(/^\S.* · Meridian$/);
      titles.set(title, name);
    });
    if (name === 'Admin Panel Login') await rememberToken(page, await meridian.token());
  }
  expect([...titles.values()]).toEqual(SCREENS.map(({ name }) => name));
});

test('every screen has exactly one main region, reached by the skip link', async ({
  page,
  meridian,
}) => {
  test.slow();
  const places = await findPlaces(meridian);
  await rememberToken(page, await meridian.token());
  for (const { name, path, settled } of SCREENS.filter(({ isPublic }) => !isPublic)) {
    await test.step(name, async () => {
      await page.goto(`${meridian.url}${path(places)}`);
      await expect(settled(page)).toBeVisible();
      await expect(page.getByRole('main')).toHaveCount(1);
      // Where a screen begins in its first field, the link is before it.
      await page.getByRole('link', { name: 'Skip to content' }).focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('main')).toBeFocused();
    });
  }
});
