import type { Locator, Page } from '@playwright/test';
import { expect, expectLayoutAccessible, test } from './support/test.ts';
import { expectNoSidewaysScroll } from './support/layout.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import {
  field,
  fillRequiredOfPlan,
  openPlanForm,
  submitPlan,
  toggle,
} from './support/plan-form.ts';

/** A wide screen, a phone, and what is left of a laptop at twice the size. */
const SIZES = [
  { width: 1440, height: 900 },
  { width: 360, height: 740 },
  { width: 720, height: 450 },
];

const edgesOf = async (part: Locator) => {
  const box = await part.boundingBox();
  if (box === null) throw new Error('It is not on screen');
  return { top: box.y, bottom: box.y + box.height };
};

/** Whether the bar, which begins a little above its button, leaves all of this in sight. */
async function expectAboveBar(page: Page, part: Locator) {
  await expect(part).toBeInViewport({ ratio: 1 });
  const { bottom } = await edgesOf(part);
  expect(bottom).toBeLessThan((await edgesOf(submitPlan(page))).top);
}

for (const size of SIZES) {
  test(`at ${size.width} x ${size.height} the bar stays in sight, covers no field, and shows errors`, async ({
    page,
    app,
  }) => {
    await page.setViewportSize(size);
    await openPlanForm(page, app);
    await expect(page.getByText('No unsaved changes')).toBeInViewport();
    await toggle(page, 'Thread posts').click();
    await field(page, 'Name').fill('creator');
    await expect(page.getByText('2 unsaved changes')).toBeInViewport();
    // From field to field by keyboard, through the whole form.
    await field(page, 'Name').focus();
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      if ((await focused.getAttribute('type')) === 'submit') break;
      await expectAboveBar(page, focused);
    }
    await expect(submitPlan(page)).toBeFocused();
    await expect(page.getByRole('link', { name: 'Cancel' })).toBeInViewport();
    await expectNoSidewaysScroll(page);

    // A checkbox that passes below the bar stays a target of its own.
    const { top } = await edgesOf(submitPlan(page));
    const unlimited = page.getByRole('checkbox', { name: /^Unlimited/ }).first();
    await unlimited.evaluate((box, edge) => {
      scrollBy({ top: box.getBoundingClientRect().bottom - edge - 4, behavior: 'instant' });
    }, top);
    await expectLayoutAccessible(page);

    await fillRequiredOfPlan(page);
    await field(page, 'Data retention days').fill('-2');
    await field(page, 'Name').focus();
    await submitPlan(page).click();
    await expect(field(page, 'Data retention days')).toBeFocused();
    await expectAboveBar(page, page.getByText('Data retention days must be a whole number'));
  });
}

test('links beside the form lead to its sections and mark the one in sight', async ({
  page,
  app,
  catalogue,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await app.open(`/plans/${(await catalogue.plan()).id}/edit`);
  const links = page.getByRole('navigation', { name: 'Sections of the form' }).getByRole('link');
  await expect(links).toHaveText(['Plan', 'Names and descriptions', 'Pricing', 'Limits']);
  const current = links.and(page.locator('[aria-current=location]'));
  await expect(current).toHaveText('Plan');
  await field(page, 'Name').fill('renamed');
  await links.getByText('Limits').click();
  await expect(page.getByRole('heading', { name: 'Limits' })).toBeInViewport();
  await expect(page.getByRole('heading', { name: 'Limits' })).toBeFocused();
  await expect(current).toHaveText('Limits');
  // The same page still: nothing is asked, and nothing typed is lost.
  await expect(field(page, 'Name')).toHaveValue('renamed');
  await page.mouse.wheel(0, -10_000);
  await expect(current).toHaveText('Plan');
  await expectAccessibleInTwoLooks(page);
  await page.setViewportSize({ width: 1000, height: 900 });
  await expect(links).toHaveCount(0);
});
