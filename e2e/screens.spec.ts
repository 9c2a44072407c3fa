import type { Page } from '@playwright/test';
import { expectAccessibleInEveryLook } from './support/looks.ts';
import { navigate } from './support/navigate.ts';
import { findSampleIds, SCREENS } from './support/screens.ts';
import type { Screen } from './support/screens.ts';
import { expectVisibleTabStops } from './support/tab-stops.ts';
import { expect, rememberToken, test } from './support/test.ts';

/** Several looks of each, the first of them by some hundred rules. */
const MANY_LOOKS_MS = 900_000;
const DESKTOP = { width: 1440, height: 900 };

/** Where a screen begins in its first field, the link is before it. */
async function expectSkipLink(page: Page) {
  await page.getByRole('link', { name: 'Skip to content' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
}

/** Returns the title of the tab. From the heading or the first field on the focus can be seen. */
async function expectWhole(page: Page, { heading, settled }: Screen): Promise<string> {
  await expect(settled(page)).toBeVisible();
  const h1 = page.getByRole('heading', { level: 1 });
  await expect(h1).toHaveCount(1);
  if (heading !== null) await expect(h1).toHaveText(heading);
  await expect(page.getByRole('main')).toHaveCount(1);
  const title = await page.title();
  expect(title).toMatch(/^\S.* · Meridian$/);

  await expectAccessibleInEveryLook(page);
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  await expectVisibleTabStops(page);
  return title;
}

// Proves 2.4, 2.5, 2.6, 2.7, 2.8, 2.9, 2.10, 2.11, 2.12, 2.13, 2.14, 2.15, 2.16, 2.17, 2.18, 2.19
test('every screen has one h1, is accessible in every look, and shows the focus:', async ({
  page,
  meridian,
}) => {
  test.setTimeout(MANY_LOOKS_MS);
  const ids = await findSampleIds(meridian);
  const titles = new Set<string>();
  let isInside = false;
  for (const screen of SCREENS) {
    await test.step(screen.name, async () => {
      // The sidebar is the same on all of them: its links are met on the first one behind the login.
      if (isInside) await navigate(page, screen.path(ids));
      else await page.goto(`${meridian.url}${screen.path(ids)}`);
      titles.add(await expectWhole(page, screen));
      isInside = screen.isPublic !== true;
      if (isInside) await expectSkipLink(page);
      else await rememberToken(page, await meridian.token());
    });
  }
  // Each has a title of its own.
  expect(titles.size).toBe(SCREENS.length);
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
