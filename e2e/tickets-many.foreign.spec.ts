import { ticketGet, ticketList } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { sampleAssignment, sampleTicket } from './support/samples.ts';
import type { StandIn } from './support/stand-in.ts';
import { expect, test } from './support/test.ts';
import { statusFilter } from './support/tickets-list.ts';
import { visit } from './support/visit.ts';

/** As servers send them that announce no pages; Meridian's own list never holds so many. */

// Ten thousand of anything take their time.
test.slow();
const COMES_MS = 30_000;

const COUNT = 10_000;
/** What fits on a screen, and some more around it. */
const DRAWN_MAX = 60;

const numbered = (index: number) => `CODE-${String(index).padStart(5, '0')}`;
const STATUSES = ['UNUSED', 'ACTIVE', 'EXPIRED', 'REVOKED'];

async function openMany(page: Page, standIn: StandIn) {
  const sample = sampleTicket();
  // As the list carries them, without the limits of their plans.
  const { limits: _, ...plan } = sample.plan;
  const tickets = Array.from({ length: COUNT }, (_, index) => ({
    ...sample,
    id: `ticket-${index}`,
    code: numbered(index),
    plan,
    status: STATUSES[index % 4],
    // Not all rows are of one height where they are stacked.
    issuer: { displayName: index % 3 === 0 ? null : 'Ana Okafor', handle: index % 5 ? 'ana' : '' },
  }));
  standIn
    .on(ticketList, { body: { tickets } })
    .on(ticketGet, { body: { ticket: sample, assignments: [] } });
  await visit(page, standIn, '/tickets');
  await expect(link(page, 0)).toBeVisible({ timeout: COMES_MS });
}

const rows = (page: Page) => page.getByRole('row');
const link = (page: Page, index: number) => page.getByRole('link', { name: numbered(index) });
const topOf = async (page: Page, index: number) => (await link(page, index).boundingBox())?.y;
const table = (page: Page) => page.getByRole('table', { name: 'Plan tickets' });

for (const width of [1440, 768, 360]) {
  test(`at ${width} px a few of ten thousand are drawn, the last can be reached, and Back returns to the very rows`, async ({
    page,
    standIn,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await openMany(page, standIn);
    await expect(table(page)).toHaveAttribute('aria-rowcount', String(COUNT + 1));
    expect(await rows(page).count()).toBeLessThan(DRAWN_MAX);
    await expect(rows(page).filter({ has: link(page, 0) })).toHaveAttribute('aria-rowindex', '2');

    await pressUntilSeen(page, 'End', COUNT - 1);
    expect(await rows(page).count()).toBeLessThan(DRAWN_MAX);
    await expect(rows(page).filter({ has: link(page, COUNT - 1) })).toHaveAttribute(
      'aria-rowindex',
      String(COUNT + 1),
    );
    await pressUntilSeen(page, 'Home', 0);

    // On and back a little: rows above and below have been measured.
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
    await expect(link(page, 0)).toHaveCount(0);
    await page.mouse.move(width / 2, 450);
    await page.mouse.wheel(0, -700);
    const middle = await settledRow(page);
    const top = await topOf(page, middle);
    const scrolled = await page.evaluate(() => scrollY);

    await link(page, middle).click();
    await expect(page.getByRole('link', { name: 'Back to Tickets' })).toBeVisible();
    await page.goBack();
    await expect(link(page, middle)).toBeInViewport();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(scrolled);
    expect(await topOf(page, middle)).toBe(top);

    await link(page, middle).click();
    await page.getByRole('link', { name: 'Back to Tickets' }).click();
    await expect(link(page, middle)).toBeInViewport();
    expect(await topOf(page, middle)).toBe(top);
  });
}

/**
 * Rows measured on arrival may be higher than estimated: then the end is further down, and the
 * correction of the scroll position ends a scroll by key that has just begun.
 */
async function pressUntilSeen(page: Page, key: 'Home' | 'End', index: number) {
  await expect(async () => {
    await page.keyboard.press(key);
    await expect(link(page, index)).toBeInViewport({ timeout: 2_000 });
  }).toPass();
}

/** The row in the middle of the screen, once the screen has come to rest. */
async function settledRow(page: Page): Promise<number> {
  const look = () =>
    page.evaluate(() => {
      const links = [...document.querySelectorAll('tbody a')];
      const inside = links.find((element) => element.getBoundingClientRect().top > 300);
      return `${inside?.textContent} ${inside?.getBoundingClientRect().top}`;
    });
  let last = '';
  await expect
    .poll(async () => {
      const before = last;
      last = await look();
      return last === before && last.startsWith('CODE-');
    })
    .toBe(true);
  return Number(last.slice('CODE-'.length, 'CODE-'.length + 5));
}

test('a filter draws no more than fits, and another width shows the same rows', async ({
  page,
  standIn,
}) => {
  await openMany(page, standIn);
  await page.evaluate(() => scrollTo(0, 200_000));
  const middle = await settledRow(page);
  for (const width of [360, 800, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    // The first row on the screen before is on it still.
    await expect(link(page, middle - 4)).toBeInViewport();
    expect(await rows(page).count()).toBeLessThan(DRAWN_MAX);
  }
  await expect(statusFilter(page, 'All')).toHaveText('All 10,000');
  for (const [name, first] of [
    ['Active', 1],
    ['Revoked', 3],
    ['Unused', 0],
  ] as const) {
    await statusFilter(page, name).click();
    await expect(statusFilter(page, name)).toHaveText(`${name} 2,500`);
    await expect(table(page)).toHaveAttribute('aria-rowcount', '2501');
    await expect(rows(page).nth(1).getByRole('link')).toHaveText(numbered(first));
    expect(await rows(page).count()).toBeLessThan(DRAWN_MAX);
  }
  expect(standIn.callsTo(ticketList)).toHaveLength(1);
});

test('the row in focus stays, however far the list is scrolled, and Tab goes on from it', async ({
  page,
  standIn,
}) => {
  await openMany(page, standIn);
  const drawn = await rows(page).count();
  await link(page, 3).focus();
  await page.mouse.move(700, 500);
  await page.mouse.wheel(0, 200_000);
  await expect(link(page, 0)).toHaveCount(0);
  await expect(link(page, 3)).toBeFocused();
  // The next row comes back into sight.
  await page.keyboard.press('Tab');
  await expect(link(page, 4)).toBeFocused();
  await expect(link(page, 4)).toBeInViewport();

  // Past what was drawn at first.
  await link(page, drawn - 3).focus();
  for (let stop = 0; stop < 10; stop += 1) await page.keyboard.press('Tab');
  await expect(link(page, drawn + 7)).toBeFocused();
  await expect(link(page, drawn + 7)).toBeInViewport();
});

test('ten thousand assignments: a few are drawn, the last can be reached', async ({
  page,
  standIn,
}) => {
  const sample = sampleAssignment();
  const assignments = Array.from({ length: COUNT }, (_, index) => ({
    ...sample,
    id: `assignment-${index}`,
    plan: { ...sample.plan, limits: {} },
    user: { ...sample.user, displayName: numbered(index) },
  }));
  standIn.on(ticketGet, { body: { ticket: sampleTicket({ status: 'ACTIVE' }), assignments } });
  await visit(page, standIn, '/tickets/some-ticket');
  const card = page.getByRole('region', { name: 'Assignments' });
  await expect(card.getByText('10,000 in total')).toBeVisible({ timeout: COMES_MS });
  await expect(card.getByRole('table')).toHaveAttribute('aria-rowcount', String(COUNT + 1));
  expect(await card.getByRole('row').count()).toBeLessThan(DRAWN_MAX);
  await pressUntilSeen(page, 'End', COUNT - 1);
  expect(await card.getByRole('row').count()).toBeLessThan(DRAWN_MAX);
});
