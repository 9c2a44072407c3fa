import { eventStream } from '@meridian/contract';
import type { Page, Route } from '@playwright/test';
import { isCallTo } from './support/calls.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { ROUNDS } from './support/rounds.ts';
import { findSampleIds, SCREENS } from './support/screens.ts';
import { expect, rememberToken, test } from './support/test.ts';

type Order = 'as asked' | 'the last one first';

/** Holds every call back until `releaseNext` lets it through. */
async function holdCalls(page: Page, order: Order) {
  const waiting: Route[] = [];
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.route('**/api/admin/**', async (route) => {
    // The response of the stream has no end that could be waited for.
    if (isCallTo(eventStream)(route.request())) await route.continue();
    else waiting.push(route);
  });
  return {
    releaseNext: async () => {
      const route = order === 'as asked' ? waiting.shift() : waiting.pop();
      if (route === undefined) return;
      await route.continue();
      await (await route.request().response())?.finished();
    },
  };
}

/** One order a width; the long run plays both at both. */
const ordersAt = (width: number): readonly Order[] => {
  if (ROUNDS > 1) return ['as asked', 'the last one first'];
  return [width === 360 ? 'the last one first' : 'as asked'];
};

for (const width of [1440, 360]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 900 } });
    test.slow();

    test('nothing moves while a screen loads', async ({ page, meridian }) => {
      await watchLayoutShift(page);
      for (const { name, path, settled, isPublic } of SCREENS) {
        const address = `${meridian.url}${path(await findSampleIds(meridian))}`;
        for (const order of ordersAt(width)) {
          await test.step(`${name}, responses come ${order}`, async () => {
            const calls = await holdCalls(page, order);
            await page.goto(address);
            await expect
              .poll(
                async () => {
                  // What is on screen now has been drawn, and may be pushed about by the next response.
                  await expectNoLayoutShift(page);
                  await calls.releaseNext();
                  return settled(page).isVisible();
                },
                { intervals: [20] },
              )
              .toBe(true);
            await expectNoLayoutShift(page);
          });
        }
        // The other screens are behind this one.
        if (isPublic) await rememberToken(page, await meridian.token());
      }
    });
  });
}
