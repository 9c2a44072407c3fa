import type { Page } from '@playwright/test';
import { expectNoSidewaysScroll } from './support/layout.ts';
import { navigate } from './support/navigate.ts';
import { findSampleIds, SCREENS } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { cutOff, cutPlaceholders } from './support/text-size.ts';

/** What a reader may ask for (WCAG 1.4.12), as a style sheet that the page's policy does not concern. */
function spaceOut(page: Page): Promise<void> {
  return page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`* {
      line-height: 1.5 !important;
      letter-spacing: 0.12em !important;
      word-spacing: 0.16em !important;
    }`);
    document.adoptedStyleSheets = [sheet];
  });
}

/** Names as people have them; a longer one may be cut. */
const NAME_LENGTH = 24;

/** Cut, with no scrolling to the rest. A long name, an id or a memo is whole where its row leads to. */
function cutWords(page: Page): Promise<string[]> {
  return page.locator('main :not(.text-mono, td .line-clamp-2.text-muted)').evaluateAll(
    (elements, most) =>
      elements
        .filter((element) => {
          if (element.matches('bdi') && element.textContent.length > most) return false;
          const { overflowX, overflowY } = getComputedStyle(element);
          const { clientWidth, scrollWidth, clientHeight, scrollHeight } = element;
          const beyond = [
            [overflowX, scrollWidth - clientWidth],
            [overflowY, scrollHeight - clientHeight],
          ] as const;
          // One of a single pixel is for screen readers.
          return (
            clientWidth > 1 &&
            beyond.some(([overflow, by]) => /hidden|clip/.test(overflow) && by > 1)
          );
        })
        .map(({ tagName, textContent }) => `${tagName} '${textContent.slice(0, 40)}'`),
    NAME_LENGTH,
  );
}

test('letters and words spaced wide leave every screen whole', async ({
  signedIn: page,
  meridian,
}) => {
  test.slow();
  const ids = await findSampleIds(meridian);
  await page.goto(`${meridian.url}/audit`);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await spaceOut(page);
  for (const { name, path, settled } of SCREENS.filter(({ isPublic }) => !isPublic)) {
    await test.step(name, async () => {
      await navigate(page, path(ids));
      await expect(settled(page)).toBeVisible();
      for (const width of [1440, 1280, 768, 360]) {
        await page.setViewportSize({ width, height: 900 });
        const cut = [...(await cutWords(page)), ...(await cutOff(page))];
        expect.soft(cut, `${name} at ${width} px`).toEqual([]);
        await expectNoSidewaysScroll(page);
      }
      await page.setViewportSize({ width: 320, height: 900 });
      expect.soft(await cutPlaceholders(page), name).toEqual([]);
    });
  }
});

test.describe('in American English, whose times are the longest', () => {
  test.use({ locale: 'en-US', timezoneId: 'UTC' });

  test('the times of a delivery spaced wide stay within their steps', async ({ page, app }) => {
    const at = '2026-11-18T12:59:00.000Z';
    const post = await app.rows.post({ status: 'COMPLETED', scheduled_at: at, executed_at: at });
    await app.rows.engine.delivery(post, { claimedAt: at, sentAt: at, host: 'pds.example' });
    await app.open(`/posts/${post.id}`);
    const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
    await expect(steps.getByRole('time')).toHaveCount(4);
    await spaceOut(page);
    for (const width of [1440, 1096, 824, 320]) {
      await page.setViewportSize({ width, height: 900 });
      const beyond = await steps.evaluateAll((all) =>
        all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
      );
      expect(beyond, `${width} px`).toEqual([0, 0, 0, 0]);
    }
  });
});
