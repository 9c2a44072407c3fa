import { ticketList } from '@meridian/contract';
import type { Locator, Page } from '@playwright/test';
import type { App } from './support/app.ts';
import { expect, test } from './support/test.ts';
import { assignmentRows } from './support/ticket-page.ts';
import { expectEveryWidth, expectTimesOnOneLine } from './support/widths.ts';

/** The least width of a readable text. */
const READABLE_PX = 140;

// The longest way to write a time that the console has.
test.use({ locale: 'en-US', timezoneId: 'America/New_York' });

const LATE = '2026-09-28T02:59:00.000Z';
const TEXTS = [
  'Doors open at seven tonight. '.repeat(4),
  '港の灯りが夜の海を照らしています。'.repeat(8),
  '',
  'w'.repeat(120),
];

/** Long names, texts and times on top of long lists. Returns the path of the user's details. */
async function fill(app: App): Promise<string> {
  const user = await app.rows.user({
    handle: 'kasia54.a-rather-long-name.cloudpost.example',
    display_name: 'Wolfeschlegelsteinhausenbergerdorff & Daughters, Publishers',
    created_at: LATE,
    upgrade_prohibited: true,
  });
  await app.rows.assignment(user, {
    activatedAt: LATE,
    expiresAt: '2096-12-28T02:59:00.000Z',
    code: 'WWWW-MMMM-QQQQ-GGGG',
    plan: {
      limits: {
        monthly_posts_limit: 500,
        storage_mb: 100,
        max_post_length: 300,
        thread_posts: true,
      },
    },
  });
  for (const content of TEXTS) {
    await app.rows.post({
      content,
      status: 'PROCESSING',
      error_msg: 'AccountTakedown: Account has been taken down by its own server',
      scheduled_at: LATE,
      created_at: LATE,
      user,
    });
  }
  await app.rows.posts(1300, { latest: '2026-09-01T00:00:00.000Z' });
  await app.rows.users(1300);
  return `/users/${user.id}`;
}

test('the tickets list fits into every width', async ({ page, app }) => {
  await fill(app);
  await app.open('/tickets');
  await expect(page.getByText('30 days').first()).toBeVisible();
  await expectEveryWidth(page);
});

test('the posts list fits into every width: none of the 80 characters is hidden, times and sorting stand on one line', async ({
  page,
  app,
}) => {
  test.slow();
  await fill(app);
  await app.open('/posts');
  await expect(page.getByText('Showing 1 to 20 of 1,304 posts')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Doors open/ })).toBeVisible();
  await expect(page.getByRole('main').getByRole('time').first()).toBeVisible();
  await expectEveryWidth(page, async (width) => {
    await expectTimesOnOneLine(page, width);
    const links = await page
      .getByRole('table')
      .locator('td:nth-child(2) a')
      .evaluateAll((all) =>
        all.map((link) => ({
          width: link.getBoundingClientRect().width,
          hidden: link.scrollHeight - link.clientHeight,
        })),
      );
    expect(links).toHaveLength(20);
    expect(Math.min(...links.map((link) => link.width)), `${width} px`).toBeGreaterThanOrEqual(
      READABLE_PX,
    );
    expect(Math.max(...links.map((link) => link.hidden)), `${width} px`).toBeLessThanOrEqual(1);
  });
  for (const width of [320, 360, 768, 1024]) {
    await test.step(`sorting at ${width} px`, async () => {
      await page.setViewportSize({ width, height: 900 });
      await expectSortingOnOneLine(page, width);
    });
  }
});

async function expectSortingOnOneLine(page: Page, width: number) {
  const buttons = page.getByRole('columnheader').getByRole('button');
  await expect(buttons).toHaveText(['Status', 'Scheduled', 'Created']);
  const middles = await buttons.evaluateAll((all) =>
    all.map((button) => Math.round(button.getBoundingClientRect().top)),
  );
  expect(new Set(middles).size, `${width} px`).toBe(1);
  // Whichever carries the arrow, the last one ends before the padding of the card begins.
  for (const name of ['Status', 'Scheduled', 'Created']) {
    await buttons.filter({ hasText: name }).click();
    await expect(page.getByRole('columnheader', { name })).toHaveAttribute('aria-sort', /ending/);
    const room = await buttons.last().evaluate((button) => {
      const row = button.closest('tr');
      if (row === null) return NaN;
      const padding = Number.parseFloat(getComputedStyle(row).paddingInlineEnd);
      return row.getBoundingClientRect().right - padding - button.getBoundingClientRect().right;
    });
    expect(room, `${name} at ${width} px`).toBeGreaterThanOrEqual(0);
  }
}

/** How many lines each part between two dots takes. */
function linesOfParts(words: Locator): Promise<number[]> {
  return words.evaluate((element) => {
    const range = document.createRange();
    return [...element.childNodes]
      .filter((part) => part.textContent !== '')
      .map((part) => {
        range.selectNodeContents(part);
        return new Set(Array.from(range.getClientRects(), ({ top }) => top)).size;
      });
  });
}

test('the users list fits into every width: times stand on one line, handles break at their dots', async ({
  page,
  app,
}) => {
  await fill(app);
  await app.open('/users');
  await expect(page.getByText('Showing 1 to 20 of 1,302 users')).toBeVisible();
  await expect(page.getByRole('main').getByRole('time').first()).toBeVisible();
  const handle = page.getByRole('row').nth(1).getByRole('cell').nth(1);
  await expectEveryWidth(page, async (width) => {
    await expectTimesOnOneLine(page, width);
    await expect(handle).toBeVisible();
    expect(await linesOfParts(handle.locator('bdi')), `${width} px`).toEqual([1, 1, 1, 1]);
  });
});

test('the assignments of a ticket fit into every width: handles break at their dots', async ({
  page,
  app,
}) => {
  const user = await app.rows.user({ handle: 'mary-sue.skies.example', display_name: null });
  const code = '2HKE-R3F7-FSZF-22Q6';
  await app.rows.assignment(user, { code, limitsOverride: { max_post_length: 120 } });
  const { tickets } = await app.meridian.call(ticketList, { query: { search: code, limit: 1 } });
  await app.open(`/tickets/${tickets[0]?.id}`);
  const row = assignmentRows(page);
  await expect(row.getByText('1 override')).toBeVisible();
  await expectEveryWidth(page, async (width) => {
    for (const words of await row.locator('bdi').filter({ hasText: user.handle }).all()) {
      expect(Math.max(...(await linesOfParts(words))), `${width} px`).toBe(1);
    }
  });
});

test('rows of a narrow list stand alike: names are whole, everything else is below them', async ({
  page,
  app,
}) => {
  const display_name = 'Margarethe Hollunder';
  await app.rows.user({ display_name, handle: 'm.example' });
  await app.rows.user({ display_name, handle: 'margarethe-hollunder.cloudpost.example' });
  await app.open('/users');
  const names = page.getByRole('table').getByText(display_name);
  await expect(names).toHaveCount(2);
  for (const width of [360, 640, 720]) {
    await page.setViewportSize({ width, height: 900 });
    const below = await page
      .getByRole('table')
      .locator('tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => {
          const [name, handle] = [...row.querySelectorAll('td')].map((cell) =>
            cell.getBoundingClientRect(),
          );
          return (handle?.top ?? 0) >= (name?.bottom ?? Infinity) - 1;
        }),
      );
    expect(below, `${width} px`).toEqual([true, true]);
    const cut = await names.evaluateAll((all) =>
      all.map((one) =>
        Math.max(one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight),
      ),
    );
    expect(Math.max(...cut), `${width} px`).toBeLessThanOrEqual(1);
  }
});

test('the steps of a delivery fit into every width', async ({ page, app }) => {
  const post = await app.rows.post({
    status: 'COMPLETED',
    scheduled_at: LATE,
    executed_at: LATE,
  });
  await app.rows.engine.delivery(post, { claimedAt: LATE, sentAt: LATE, host: 'pds.example' });
  await app.open(`/posts/${post.id}`);
  const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
  await expect(steps.getByRole('time')).toHaveCount(4);
  await expectEveryWidth(page, (width) => expectTimesOnOneLine(page, width));
});

test('the workers of the engine fit into every width', async ({ page, app }) => {
  // Whenever this runs: an hour of two digits, which takes the most room.
  const seenSeconds = (Date.parse('2099-01-01T03:30:00.000Z') - Date.now()) / 1000;
  const claimed = 1_234_567;
  await app.rows.engine.worker({ id: 'harbour/13958/300854', seenSeconds, claimed });
  await app.open('/engine');
  await expect(page.getByRole('table', { name: 'Workers' }).getByRole('row')).toHaveCount(3);
  await expectEveryWidth(page, (width) => expectTimesOnOneLine(page, width));
});

/** How many limits stand side by side. */
const LIMIT_COLUMNS: Readonly<Record<number, [least: number, most: number]>> = {
  360: [2, 2],
  768: [3, 4],
  1024: [3, 4],
  1440: [3, 4],
};

test('the details of a user fit into every width: times stand on one line, limits two by two on a phone', async ({
  page,
  app,
}) => {
  await app.open(await fill(app));
  await expect(page.getByText('Recent Posts').first()).toBeVisible();
  await expect(page.getByRole('main').getByRole('time').first()).toBeVisible();
  const limit = page.getByRole('term').filter({ hasText: 'Monthly posts' });
  await expect(limit).toBeVisible();
  await expectEveryWidth(page, async (width) => {
    await expectTimesOnOneLine(page, width);
    const [least, most] = LIMIT_COLUMNS[width] ?? [1, 4];
    const columns = await limit.evaluate((term) => {
      const list = term.closest('dl');
      return list === null ? 0 : getComputedStyle(list).gridTemplateColumns.split(' ').length;
    });
    expect(columns, `${width} px`).toBeGreaterThanOrEqual(least);
    expect(columns, `${width} px`).toBeLessThanOrEqual(most);
  });
});
