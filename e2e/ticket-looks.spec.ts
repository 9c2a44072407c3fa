import type { Page } from '@playwright/test';
import { expect, test } from './support/test.ts';
import { expectNoSidewaysScroll } from './support/layout.ts';
import { statusFilters } from './support/tickets-list.ts';

// Where times are longest: 'Dec 28, 2026, 11:10 PM'.
test.use({ locale: 'en-US' });

const LATE = '2026-12-28T22:10:00.000Z';
const TICKET = { issuedAt: LATE, redemptionDeadline: LATE.replace('2026', '2098') };

const times = (page: Page) => page.locator('main time');

/** How many lines each time on the page takes. */
function linesOfTimes(page: Page): Promise<number[]> {
  return page.getByRole('main').evaluate((main) =>
    [...main.querySelectorAll('time')].map((time) => {
      const tops = [...time.getClientRects()].map(({ top }) => Math.round(top));
      return new Set(tops).size;
    }),
  );
}

test('in the list a code stands on one line and a time below its date; it never breaks before AM or PM', async ({
  page,
  app,
  catalogue,
}) => {
  await catalogue.tickets([TICKET, { issuedAt: LATE }]);
  await app.open('/tickets');
  await expect(times(page)).toHaveCount(3);
  expect(await linesOfTimes(page)).toEqual([2, 2, 2]);
  for (const code of await page.getByRole('row').getByRole('link').all()) {
    expect(await code.evaluate((link) => link.getClientRects().length)).toBe(1);
  }
  await page.setViewportSize({ width: 768, height: 900 });
  for (const code of await page.getByRole('row').getByRole('link').locator('bdi').all()) {
    expect(await code.evaluate((words) => words.getClientRects().length)).toBe(1);
  }
  for (const time of await times(page).all()) {
    expect(await time.evaluate(({ textContent }) => textContent)).toMatch(/\u00a0PM$/);
  }
});

test('every time of a ticket stands on one line', async ({ page, app, catalogue }) => {
  const ticket = await catalogue.ticket({ ...TICKET, status: 'ACTIVE' });
  const expiresAt = LATE.replace('2026', '2098');
  await catalogue.redemption(ticket, { activatedAt: LATE, expiresAt });
  await app.open(`/tickets/${ticket.id}`);
  for (const width of [1440, 768]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(times(page)).toHaveCount(6);
    expect(await linesOfTimes(page), `${width} px`).toEqual([1, 1, 1, 1, 1, 1]);
  }
});

test('on a phone the filters stand on one line, which scrolls to the chosen one', async ({
  page,
  app,
  catalogue,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await catalogue.tickets([TICKET]);
  await app.open('/tickets?status=REVOKED');
  const buttons = statusFilters(page).getByRole('button');
  const chosen = statusFilters(page).getByRole('button', { pressed: true });
  await expect(chosen).toHaveText('Revoked 0');
  await expect(chosen).toBeInViewport({ ratio: 1 });
  const tops = await buttons.evaluateAll((all) =>
    all.map((one) => one.getBoundingClientRect().top),
  );
  expect(new Set(tops).size).toBe(1);
  await expectNoSidewaysScroll(page);
  await buttons.first().click();
  await expect(buttons.first()).toHaveText('All 1');
  await expect(buttons.first()).toBeInViewport({ ratio: 1 });
});
