import {
  currencyDeactivate,
  planSetVisibility,
  userRestrict,
  userUpdate,
} from '@meridian/contract';
import type { Locator } from '@playwright/test';
import { planCard } from './support/plan-form.ts';
import { currencyRow } from './support/settings-page.ts';
import { expect, test } from './support/test.ts';
import { managementOf, plansOf } from './support/user-page.ts';

/* A quick server is done before the second click of a double click: that must not undo the first. */

/** Clicks, and once `done` is there clicks again, as the second click of the same double click. */
async function doubleClick(button: Locator, done: Locator) {
  await button.click();
  await expect(done).toBeVisible();
  const { mouse } = button.page();
  await mouse.down({ clickCount: 2 });
  await mouse.up({ clickCount: 2 });
}

test('the second click of a double click does not undo what the first has done', async ({
  page,
  app,
  catalogue,
}) => {
  const user = await app.rows.user();
  await catalogue.plan();
  await app.open(`/users/${user.id}`);
  for (const [card, name, done] of [
    [plansOf(page), 'Prohibit Upgrades', 'Enable Upgrades'],
    [managementOf(page), 'Deactivate User', 'Activate User'],
  ] as const) {
    await doubleClick(
      card.getByRole('button', { name, exact: true }),
      card.getByRole('button', { name: done, exact: true }),
    );
  }
  await app.open('/plans');
  const plan = planCard(page, 'Studio');
  await doubleClick(
    plan.getByRole('button', { name: 'Hide' }),
    plan.getByRole('button', { name: 'Show' }),
  );
  await app.open('/settings');
  const yen = currencyRow(page, 'JPY');
  await doubleClick(
    yen.getByRole('button', { name: 'Deactivate' }),
    yen.getByRole('button', { name: 'Activate', exact: true }),
  );

  // The page answers to the next click, so that the second one has been handled.
  await page.getByRole('link', { name: 'Add New Currency' }).click();
  await expect(page).toHaveURL(/\/create$/);
  for (const change of [userRestrict, userUpdate, planSetVisibility, currencyDeactivate]) {
    expect(app.callsTo(change), change.name).toHaveLength(1);
  }
  expect(app.calls.filter(({ method }) => method === 'POST')).toEqual([]);
});
