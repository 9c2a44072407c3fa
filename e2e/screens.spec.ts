import type { Page } from '@playwright/test';
import { expectAccessibleInEveryLook } from './support/looks.ts';
import { findSampleIds, SCREENS } from './support/screens.ts';
import { expectVisibleTabStops } from './support/tab-stops.ts';
import { expect, rememberToken, test } from './support/test.ts';

/** Several looks, the first of them by some hundred rules. */
const FOUR_LOOKS_MS = 180_000;
const DESKTOP = { width: 1440, height: 900 };

const titles = new Map<string, string>();

/** Where a screen begins in its first field, the link is before it. */
async function expectSkipLink(page: Page) {
  await page.getByRole('link', { name: 'Skip to content' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
}

test.describe('every screen has one h1, is accessible in every look, and shows the focus:', () => {
  test.setTimeout(FOUR_LOOKS_MS);
  for (const { name, path, heading, settled, isPublic = false } of SCREENS) {
    test(name, async ({ page, meridian }) => {
      if (!isPublic) await rememberToken(page, await meridian.token());
      await page.goto(`${meridian.url}${path(await findSampleIds(meridian))}`);
      await expect(settled(page)).toBeVisible();

      const h1 = page.getByRole('heading', { level: 1 });
      await expect(h1).toHaveCount(1);
      if (heading !== null) await expect(h1).toHaveText(heading);
      await expect(page.getByRole('main')).toHaveCount(1);
      const title = await page.title();
      expect(title).toMatch(/^\S.* · Meridian$/);
      titles.set(title, name);

      await expectAccessibleInEveryLook(page);
      await page.setViewportSize(DESKTOP);
      await page.emulateMedia({ colorScheme: null, reducedMotion: null });
      await expectVisibleTabStops(page);
      if (!isPublic) await expectSkipLink(page);
    });
  }

  test('and a title of its own', () => {
    expect([...titles.values()]).toEqual(SCREENS.map(({ name }) => name));
  });
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
