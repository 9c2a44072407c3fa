import { findPlaces, SCREENS } from './support/screens.ts';
import { expect, rememberToken, test } from './support/test.ts';

test('every screen has one h1 of its own, and a title of its own', async ({ page, meridian }) => {
  test.slow();
  const places = await findPlaces(meridian);
  const titles = new Map<string, string>();
  for (const { name, path, heading, settled, isPublic = false } of SCREENS) {
    await test.step(name, async () => {
      await page.goto(`${meridian.url}${path(places)}`);
      await expect(settled(page)).toBeVisible();
      const h1 = page.getByRole('heading', { level: 1 });
      await expect(h1).toHaveCount(1);
      if (heading !== null) await expect(h1).toHaveText(heading);
      await expect(page.getByRole('main')).toHaveCount(1);
      if (!isPublic) {
        // Where a screen begins in its first field, the link is before it.
        await page.getByRole('link', { name: 'Skip to content' }).focus();
        await page.keyboard.press('Enter');
        await expect(page.getByRole('main')).toBeFocused();
      }
      const title = await page.title();
      expect(title).toMatch(/^\S.* · Meridian$/);
      titles.set(title, name);
    });
    if (name === 'Admin Panel Login') await rememberToken(page, await meridian.token());
  }
  expect([...titles.values()]).toEqual(SCREENS.map(({ name }) => name));
});

test('what the policy forbids is a complaint', async ({ page, visitor, complaints }) => {
  await visitor.open('/login');
  const refused = await page.evaluate(() => {
    try {
      document.body.innerHTML = '<b>in</b>';
      return null;
    } catch (error) {
      return String(error);
    }
  });
  expect(refused).toContain('TrustedHTML');
  await expect.poll(() => complaints.splice(0).join()).toContain('TrustedHTML');
});
