import type { Page } from '@playwright/test';
import { expectNoSidewaysScroll } from './layout.ts';
import { expect } from './test.ts';

/** The text alone, not the window: what a reader asks for who needs larger letters. */
const DOUBLE = '200%';

/** With letters twice as large nothing is cut off, and also on a phone no page scrolls sideways. */
export async function expectRoomForLargeText(page: Page): Promise<void> {
  await page.evaluate((size) => (document.documentElement.style.fontSize = size), DOUBLE);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await cutOff(page)).toEqual([]);
  expect(await tooLow(page)).toEqual([]);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 360, height: 900 });
  expect(await cutOff(page)).toEqual([]);
  expect(await tooLow(page)).toEqual([]);
  await expectNoSidewaysScroll(page);
  await page.evaluate(() => (document.documentElement.style.fontSize = ''));
}

/** What stands in an empty field and does not fit: often it is all that says what the field is for. */
export function cutPlaceholders(page: Page): Promise<string[]> {
  return page.locator('input[placeholder]:visible').evaluateAll((inputs: HTMLInputElement[]) =>
    inputs
      .filter((input) => {
        const style = getComputedStyle(input);
        const words = document.createElement('canvas').getContext('2d');
        if (words === null) return true;
        words.font = style.font;
        words.letterSpacing = style.letterSpacing;
        words.wordSpacing = style.wordSpacing;
        const padding = [style.paddingInlineStart, style.paddingInlineEnd].map(Number.parseFloat);
        const room = padding.reduce((left, by) => left - by, input.clientWidth);
        return words.measureText(input.placeholder).width > room;
      })
      .map(({ placeholder }) => placeholder),
  );
}

/** The cards, cells and values that something reaches out of, in their first words. */
export function cutOff(page: Page): Promise<string[]> {
  return page.locator('main :is(.overflow-clip, article, td, dd)').evaluateAll((boxes) =>
    boxes
      // One of a single pixel is for screen readers.
      .filter(({ clientWidth, scrollWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1)
      .map(({ tagName, textContent }) => `${tagName} '${textContent.slice(0, 40)}'`),
  );
}

/** The buttons whose words reach out of them, into what stands above or below. */
function tooLow(page: Page): Promise<string[]> {
  return page
    .locator('main button:visible')
    .evaluateAll((buttons) =>
      buttons
        .filter(({ clientHeight, scrollHeight }) => scrollHeight > clientHeight + 1)
        .map(({ textContent }) => textContent),
    );
}
