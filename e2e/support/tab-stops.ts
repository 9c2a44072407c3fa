import type { Page } from '@playwright/test';
import { expect } from './test.ts';

/** Enough for every kind of control a screen has; long lists repeat themselves. */
const STOPS_MAX = 40;

type TabStop = { what: string; isMarked: boolean; isOnScreen: boolean; isWhole: boolean };

/** What has the focus, and whether one can see that it has. */
function currentStop(page: Page): Promise<TabStop | null> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return null;
    const box = element.getBoundingClientRect();
    // A bar of a chart has its ring beside it, where it is not stretched.
    const ring = [...document.querySelectorAll('[data-focus-ring]')].find((beside) => {
      const { left, right } = beside.getBoundingClientRect();
      return right > left && Math.abs(left - box.left) < 2 && Math.abs(right - box.right) < 2;
    });
    const stop = ring ?? element;
    const style = getComputedStyle(stop);
    const hasOutline = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
    // Its parts are stops of their own, which the browser marks inside.
    const hasParts = element.matches('input[type=datetime-local]');
    const reach = parseFloat(style.outlineOffset) + parseFloat(style.outlineWidth);
    /** Whether an element that clips its content leaves the ring whole. */
    function leavesWhole(around: Element): boolean {
      const { overflowX, overflowClipMargin } = getComputedStyle(around);
      if (overflowX !== 'clip') return true;
      const room = (parseFloat(overflowClipMargin) || 0) + 0.5;
      const outer = around.getBoundingClientRect();
      return [...stop.getClientRects()].every(
        (ring) =>
          ring.left - reach >= outer.left - room &&
          ring.right + reach <= outer.right + room &&
          ring.top - reach >= outer.top - room &&
          ring.bottom + reach <= outer.bottom + room,
      );
    }
    const around: Element[] = [];
    for (let at = element.parentElement; at !== null; at = at.parentElement) around.push(at);
    return {
      isWhole: !hasOutline || around.every(leavesWhole),
      what: `${element.tagName} ${element.textContent.trim().slice(0, 40)}`,
      isMarked: hasOutline || hasParts,
      isOnScreen: box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.left < innerWidth,
    };
  });
}

/** From where the focus is, every stop of the Tab key is marked, on screen and not cut off. */
export async function expectVisibleTabStops(page: Page): Promise<void> {
  const stops: TabStop[] = [];
  for (let count = 0; count < STOPS_MAX; count += 1) {
    await page.keyboard.press('Tab');
    const stop = await currentStop(page);
    if (stop === null) break;
    stops.push(stop);
  }
  expect(stops.length).toBeGreaterThan(2);
  expect(stops.filter((stop) => !stop.isMarked || !stop.isOnScreen || !stop.isWhole)).toEqual([]);
}
