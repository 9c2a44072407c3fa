import { ticketGet, ticketList } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { sampleAssignment, sampleTicket } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

// Where times are longest: 'Dec 28, 2026, 11:10 PM'.
test.use({ locale: 'en-US' });

const LATE = '2026-12-28T22:10:00.000Z';
const TICKET = sampleTicket({ issuedAt: LATE, updatedAt: LATE, redemptionDeadline: LATE });

/** How many lines each time on the page takes. */
function linesOfTimes(page: Page): Promise<number[]> {
  return page.getByRole('main').evaluate((main) =>
    [...main.querySelectorAll('time')].map((time) => {
      const tops = [...time.getClientRects()].map(({ top }) => Math.round(top));
      return new Set(tops).size;
    }),
  );
}

test('in the list a time stands on one line, and so does a code', async ({ page, standIn }) => {
  standIn.on(ticketList, { body: { tickets: [TICKET, sampleTicket({ issuedAt: LATE })] } });
  await visit(page, standIn, '/tickets');
  await expect(page.locator('main time')).toHaveCount(3);
  expect(await linesOfTimes(page)).toEqual([1, 1, 1]);
  const codes = page.getByRole('main').getByRole('link', { name: TICKET.code });
  for (const code of await codes.all()) {
    expect(await code.evaluate((link) => link.getClientRects().length)).toBe(1);
  }
});

test('where a time has to break it does so after the date, never before AM or PM', async ({
  page,
  standIn,
}) => {
  await page.setViewportSize({ width: 768, height: 900 });
  standIn.on(ticketList, { body: { tickets: [TICKET] } });
  await visit(page, standIn, '/tickets');
  const times = page.locator('main time');
  await expect(times).toHaveCount(2);
  for (const time of await times.all()) {
    expect(await time.evaluate(({ textContent }) => textContent)).toMatch(/\u00a0PM$/);
  }
});

for (const width of [1440, 768]) {
  test(`at ${width} px every time of a ticket stands on one line`, async ({ page, standIn }) => {
    await page.setViewportSize({ width, height: 900 });
    const assignments = [sampleAssignment({ activatedAt: LATE, expiresAt: LATE, createdAt: LATE })];
    standIn.on(ticketGet, { body: { ticket: TICKET, assignments } });
    await visit(page, standIn, `/tickets/${TICKET.id}`);
    await expect(page.locator('main time')).toHaveCount(6);
    expect(await linesOfTimes(page)).toEqual([1, 1, 1, 1, 1, 1]);
  });
}
