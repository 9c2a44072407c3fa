import { planGet, planSetVisibility } from '@meridian/contract';
import type { Locator } from '@playwright/test';
import { expect, test } from './support/test.ts';
import { WIDTHS } from './support/widths.ts';

test('the boxes of a plan that is loading stay inside their cards', async ({ page, app }) => {
  await app.hold(planGet);
  await app.open('/plans/some-plan/edit');
  await expect(page.getByText('Loading...')).toBeVisible();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const cut = await page.getByRole('main').evaluate(
      (main) =>
        [...main.querySelectorAll('.bg-surface .bg-sunken')].filter((box) => {
          const card = box.closest('.bg-surface')?.getBoundingClientRect();
          return box.getBoundingClientRect().right > (card?.right ?? 0) - 1;
        }).length,
    );
    expect(cut, `${width} px`).toBe(0);
  }
});

/** The height at which the middle of each stands. */
function middlesOf(all: readonly Locator[]): Promise<(number | null)[]> {
  return Promise.all(
    all.map(async (one) => {
      const box = await one.boundingBox();
      return box && Math.round(box.y + box.height / 2);
    }),
  );
}

test('on a phone the title of a card stays on one line beside its button', async ({
  page,
  app,
}) => {
  await page.setViewportSize({ width: 360, height: 900 });
  const user = await app.rows.user({ upgrade_prohibited: true });
  await app.open(`/users/${user.id}`);
  await expect(page.getByRole('button', { name: 'Enable Upgrades' })).toBeVisible();
  const heights = await page
    .getByRole('main')
    .getByRole('heading', { level: 2 })
    .evaluateAll((all) => all.map((heading) => heading.getBoundingClientRect().height));
  expect(new Set(heights).size).toBe(1);
});

test('on a phone the buttons of a card stand in one line, beside its title', async ({
  page,
  app,
}) => {
  await page.setViewportSize({ width: 360, height: 900 });
  const user = await app.rows.user();
  const { plan } = await app.rows.assignment(user);
  await app.rows.posts(1, {}, user);
  const params = { id: plan.id };
  await app.meridian.call(planSetVisibility, { params, body: { isVisible: false } });
  await app.open(`/users/${user.id}`);
  await expect(page.getByRole('link', { name: 'See all posts' })).toBeVisible();
  const heading = page.getByRole('heading', { name: 'Recent Posts' });
  expect(
    new Set(await middlesOf([heading, page.getByRole('link', { name: 'See all posts' })])).size,
  ).toBe(1);

  await app.open('/plans');
  const buttons = page
    .getByRole('link', { name: 'Edit' })
    .or(page.getByRole('button', { name: /^(Deactivate|Show)$/ }));
  await expect(buttons).toHaveCount(3);
  expect(new Set(await middlesOf(await buttons.all())).size).toBe(1);
});
