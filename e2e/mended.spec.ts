import type { Page } from '@playwright/test';
import { expect, test } from './support/test.ts';

const STOPS_MAX = 120;

/** The controls in sight that Tab has to reach; from the body to the body again, those that it reaches. */
async function tabPass(page: Page): Promise<{ offered: string[]; reached: string[] }> {
  const offered = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea')]
      .filter((one) => one.tabIndex >= 0 && !one.matches(':disabled') && one.checkVisibility())
      .map((one, index) => {
        one.dataset['stop'] = `${index} ${one.textContent.trim()}`;
        return one.dataset['stop'];
      }),
  );
  const reached: string[] = [];
  for (let count = 0; count < STOPS_MAX; count += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const { activeElement } = document;
      if (!(activeElement instanceof HTMLElement) || activeElement === document.body) return null;
      return activeElement.dataset['stop'] ?? '';
    });
    if (stop === null) break;
    if (stop !== '') reached.push(stop);
  }
  return { offered, reached };
}

test('the command palette keeps the focus inside, in a field with a visible ring', async ({
  page,
  app,
}) => {
  await app.open('/users');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Find anything' });
  for (const key of ['Tab', 'Tab', 'Shift+Tab']) {
    await page.keyboard.press(key);
    await expect(field).toBeFocused();
  }
  await expect(field).toHaveCSS('outline-style', 'solid');
  // Outside of the field the dialog would clip it.
  await expect(field).toHaveCSS('outline-offset', '-2px');
});

test('Tab reaches every control of the failures, and a reordering keeps the focus', async ({
  page,
  app,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const { engine } = app.rows;
  const user = await app.rows.user();
  await engine.fail(user, { cause: 'host_down', error: 'HTTP 502', count: 4 });
  await engine.fail(user, { cause: 'too_late', error: 'Late', count: 3 });
  await engine.fail(user, { cause: 'reconnect', error: 'Revoked', count: 2 });
  await app.open('/failures');
  await expect(page.getByRole('button', { name: /^Retry all/ })).toHaveText([
    'Retry all 4',
    'Retry all 3',
    'Retry all 2',
  ]);
  const { offered, reached } = await tabPass(page);
  expect(reached).toEqual(offered);

  const retry = page.getByRole('button', { name: 'Retry all 4' });
  await retry.focus();
  await engine.fail(user, { cause: 'too_late', error: 'Late', count: 9 });
  await expect(page.getByRole('button', { name: /^Retry all/ }).first()).toHaveText(
    'Retry all 12',
    {
      timeout: 60_000,
    },
  );
  await expect(retry).toBeFocused();
});

test.describe('in the longest form of a time', () => {
  test.use({ locale: 'en-US' });

  test('times stay inside of their column on the engine page and in the audit log', async ({
    page,
    app,
  }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await app.rows.engine.host({ host: 'pds.example.test' });
    for (const path of ['/engine', '/audit']) {
      await app.open(path);
      const times = page.getByRole('cell').getByRole('time');
      await expect(times.first()).toBeVisible();
      const overhangs = await times.evaluateAll((all) =>
        all.map((time) => {
          const cell = time.closest('td') ?? time;
          const room = cell.getBoundingClientRect().right;
          const edge = room - parseFloat(getComputedStyle(cell).paddingInlineEnd);
          return Math.max(0, time.getBoundingClientRect().right - edge - 0.5);
        }),
      );
      expect(Math.max(...overhangs), path).toBe(0);
    }
  });
});
