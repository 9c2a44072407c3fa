import { ticketGet, ticketList } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { expectNoSidewaysScroll } from './support/layout.ts';
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

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('the filters stand on one line, which scrolls to the chosen one', async ({
    page,
    standIn,
  }) => {
    standIn.on(ticketList, { body: { tickets: [TICKET] } });
    await visit(page, standIn, '/tickets?status=REVOKED');
    const filters = page.getByRole('navigation', { name: 'Status' });
    const chosen = filters.getByRole('button', { pressed: true });
    await expect(chosen).toHaveText('Revoked 0');
    await expect(chosen).toBeInViewport({ ratio: 1 });
    const tops = await filters
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
    await expectNoSidewaysScroll(page);
    await filters.getByRole('button', { name: /^All/ }).click();
    await expect(filters.getByRole('button', { name: /^All/ })).toBeInViewport({ ratio: 1 });
  });
});

test('only figures are set in tabular figures', async ({ page, standIn }) => {
  standIn.on(ticketList, { body: { tickets: [TICKET] } });
  await visit(page, standIn, '/tickets');
  const row = page.getByRole('row').nth(1);
  await expect(row.getByText('Studio')).toHaveCSS('font-variant-numeric', 'normal');
  await expect(row.getByText('@ana')).toHaveCSS('font-variant-numeric', 'normal');
  await expect(row.getByText('0 / 5')).toHaveCSS('font-variant-numeric', 'tabular-nums');
  await expect(row.getByText('30 days')).toHaveCSS('font-variant-numeric', 'tabular-nums');
  await expect(row.getByRole('time').first()).toHaveCSS('font-variant-numeric', 'tabular-nums');
});
