import type { Locator, Page } from '@playwright/test';

export type ClickToPaint = {
  /**
   * From the click until the page has painted the frame with what was waited for and handed it over.
   * What the compositor then takes to bring it to the screen is not in it.
   */
  paintedMs: number;
  /** The part of it in which an answer of the API was still on its way; 0 when all were there. */
  networkMs: number;
  /** Every task over 50 ms from the press of the button to that frame, in milliseconds. */
  longTasksMs: number[];
};

/**
 * Presses a link as a hand does, and measures inside the browser until `shown`, a CSS selector that
 * only the next page satisfies, has been painted. To measure a prefetched page, hover first.
 */
export async function clickToPaint(
  page: Page,
  link: Locator,
  shown: string,
): Promise<ClickToPaint> {
  const measure = await page.evaluateHandle(
    (selector) => ({
      result: new Promise<ClickToPaint>((resolve) => {
        if (document.querySelector(selector)) throw new Error(`${selector} is there already`);
        const tasks: PerformanceEntry[] = [];
        const longTasks = new PerformanceObserver((list) => tasks.push(...list.getEntries()));
        longTasks.observe({ type: 'longtask' });
        let pressedAt = Infinity;
        let clickedAt = Infinity;
        const once = { capture: true, once: true };
        const notePress = ({ timeStamp }: Event) => {
          pressedAt = timeStamp;
        };
        const noteClick = ({ timeStamp }: Event) => {
          clickedAt = timeStamp;
        };
        window.addEventListener('pointerdown', notePress, once);
        window.addEventListener('click', noteClick, once);

        const finish = (paintedAt: number) => {
          tasks.push(...longTasks.takeRecords());
          longTasks.disconnect();
          const answers = performance
            .getEntriesByType('resource')
            .filter(({ name }) => new URL(name).pathname.startsWith('/api/'))
            // The type of these entries is known by their name only.
            .map((entry) => (entry as PerformanceResourceTiming).responseEnd)
            .filter((at) => at <= paintedAt);
          resolve({
            paintedMs: paintedAt - clickedAt,
            networkMs: Math.max(0, ...answers.map((at) => at - clickedAt)),
            longTasksMs: tasks
              .filter(({ startTime, duration }) => startTime + duration > pressedAt)
              .map(({ duration }) => duration),
          });
        };
        const changes = new MutationObserver(() => {
          if (!document.querySelector(selector)) return;
          changes.disconnect();
          // A task queued in the frame's last step runs when that frame has been handed over.
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.addEventListener('message', () => {
              const paintedAt = performance.now();
              // Long tasks are reported after they end: one more turn, outside of the measure.
              setTimeout(() => finish(paintedAt));
            });
            port1.start();
            port2.postMessage(null);
          });
        });
        changes.observe(document, { subtree: true, childList: true });
      }),
    }),
    shown,
  );
  await link.click();
  const result = await measure.evaluate(({ result: measured }) => measured);
  await measure.dispose();
  return result;
}
