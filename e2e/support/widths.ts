import type { Page } from '@playwright/test';
import { expectNoSidewaysScroll } from './layout.ts';
import { expect, test } from './test.ts';

export const WIDTHS = [320, 360, 640, 768, 800, 900, 1024, 1100, 1280, 1440];

/** What reaches past the box it belongs to, in words. */
function overhangsOf(page: Page): Promise<string[]> {
  return page.getByRole('main').evaluate((main) => {
    return [...main.querySelectorAll('time, a, button, th, td, dt, dd, li, h1, h2, h3')].flatMap(
      (element) => {
        const box = element.parentElement?.closest('td, dd, dt, li, article, .bg-surface, main');
        // Out of sight on purpose, for screen readers.
        const isHidden =
          element.getClientRects().length === 0 ||
          element.clientWidth === 1 ||
          element.closest('thead')?.clientWidth === 1;
        // The filters stand in a row that scrolls within its own box.
        if (!box || isHidden || element.closest('nav')) return [];
        const { left, right } = element.getBoundingClientRect();
        const around = box.getBoundingClientRect();
        const isInside = left >= around.left - 1 && right <= around.right + 1;
        const isWhole =
          element.scrollWidth <= element.clientWidth + 1 || element.matches('a, time');
        return isInside && isWhole
          ? []
          : [`${element.tagName} '${element.textContent.slice(0, 30)}' in ${box.tagName}`];
      },
    );
  });
}

/** Neighbouring headers whose words touch or overlap. */
function touchingHeadersOf(page: Page): Promise<string[]> {
  return page.getByRole('main').evaluate((main) => {
    const words = [...main.querySelectorAll('th')].flatMap((header) => {
      const range = document.createRange();
      range.selectNodeContents(header);
      const box = range.getBoundingClientRect();
      const isHidden = header.clientWidth <= 1 || header.closest('thead')?.clientWidth === 1;
      return isHidden || box.width <= 1 ? [] : [{ text: header.textContent, box }];
    });
    return words.flatMap(({ text, box }, index) => {
      const next = words[index + 1];
      if (next === undefined || next.box.top >= box.bottom) return [];
      return next.box.left < box.right + 2 ? [`${text} | ${next.text}`] : [];
    });
  });
}

export async function expectTimesOnOneLine(page: Page, width: number): Promise<void> {
  const lines = await page
    .getByRole('main')
    .locator('time')
    .evaluateAll((all) => all.map((time) => time.getClientRects().length));
  expect(Math.max(...lines), `lines of a time at ${width} px`).toBe(1);
}

/** At each of the widths: nothing reaches past its box or touches, and `check` holds. */
export async function expectEveryWidth(
  page: Page,
  check?: (width: number) => Promise<void>,
): Promise<void> {
  for (const width of WIDTHS) {
    await test.step(`${width} px`, async () => {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page);
      expect(await overhangsOf(page), `${width} px`).toEqual([]);
      expect(await touchingHeadersOf(page), `${width} px`).toEqual([]);
      await check?.(width);
    });
  }
}
