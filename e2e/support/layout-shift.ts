import type { Page } from '@playwright/test';
import { expect } from './test.ts';

/** Starts listening before the page opens; everything that moves by itself counts. */
export async function watchLayoutShift(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    const read = (entries: PerformanceEntryList) => {
      for (const entry of entries) {
        // The type of these entries is not in the DOM library.
        const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
          value: number;
          hadRecentInput: boolean;
          sources: { node: Element | null }[];
        };
        const moved = sources.map(({ node }) => node?.textContent?.slice(0, 60));
        if (!hadRecentInput) shifts.push(`${value.toFixed(4)}: ${moved.join(' | ')}`);
      }
    };
    const observer = new PerformanceObserver((list) => read(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    Reflect.set(window, 'layoutShifts', () => {
      read(observer.takeRecords());
      return shifts;
    });
  });
}

/** Nothing on the page has moved by itself since it opened. */
export async function expectNoLayoutShift(page: Page): Promise<void> {
  const shifts = await page.evaluate(
    () =>
      new Promise((resolve) => {
        // The last change is drawn with the next frame and known with the one after.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => resolve(Reflect.get(window, 'layoutShifts')())),
        );
      }),
  );
  expect(shifts).toEqual([]);
}
