import { planCreate } from '@meridian/contract';
import { expect, test } from './support/test.ts';
import { expectNoSidewaysScroll } from './support/layout.ts';
import {
  field,
  fillRequiredOfPlan,
  openPlanForm,
  submitPlan,
  toggle,
} from './support/plan-form.ts';

// Proves 2.107
test('the switches reveal their limits, and take them out of the way', async ({ page, app }) => {
  await openPlanForm(page, app);
  await fillRequiredOfPlan(page);
  await expect(field(page, 'Thread posts limit')).toHaveCount(0);
  await toggle(page, 'Thread posts').click();
  await expect(field(page, 'Thread posts limit')).toHaveValue('1');
  await field(page, 'Thread posts limit').fill('25');
  await submitPlan(page).click();
  await expect(field(page, 'Thread posts limit')).toHaveAccessibleDescription(
    /Thread posts limit must be a whole number from 1 to 24/,
  );
  await toggle(page, 'Thread posts').click();

  await expect(field(page, 'Max video size (MB)')).toHaveCount(0);
  await expect(field(page, 'Video minutes per month')).toHaveCount(0);
  await toggle(page, 'Video upload').click();
  await field(page, 'Max video size (MB)').fill('much');
  await field(page, 'Video minutes per month').fill('60');
  await toggle(page, 'Video upload').click();
  await submitPlan(page).click();
  await expect(page.getByText('Plan created successfully: creator')).toBeVisible();
  // What is out of the way is sent as if it had not been touched.
  expect(app.callsTo(planCreate).map(({ body }) => body)).toEqual([
    expect.objectContaining({
      limits: expect.objectContaining({
        thread_posts: false,
        thread_posts_limit: 1,
        video_upload_enabled: false,
        max_video_size_mb: null,
      }),
    }),
  ]);
});

test('Unlimited is a checkbox, and -1 to the server', async ({ page, app }) => {
  await openPlanForm(page, app);
  await fillRequiredOfPlan(page);
  const unlimited = (name: string) =>
    page.getByRole('checkbox', { name: `Unlimited ${name}`, exact: true });
  await expect(page.getByRole('checkbox', { name: /^Unlimited/ })).toHaveCount(6);
  await unlimited('Storage (MB)').check();
  await expect(field(page, 'Storage (MB)')).toBeDisabled();
  await unlimited('Pending posts').check();
  await unlimited('Pending posts').uncheck();
  await expect(field(page, 'Pending posts')).toHaveValue('3');
  // Typed as a number it means the same, and the field stays until it is left.
  await field(page, 'Monthly posts').fill('-1');
  await expect(unlimited('Monthly posts')).toBeChecked();
  await expect(field(page, 'Monthly posts')).toBeFocused();
  await submitPlan(page).click();
  await expect(page.getByText('Plan created successfully: creator')).toBeVisible();
  expect(app.callsTo(planCreate)[0]?.body).toMatchObject({
    limits: { storage_mb: -1, pending_posts_limit: 3, monthly_posts_limit: -1 },
  });
});

test('works by keyboard alone', async ({ page, app }) => {
  await openPlanForm(page, app);
  await fillRequiredOfPlan(page);
  await page.getByRole('tab', { name: /English/ }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('tab', { name: 'Portuguese' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type('Criador');
  await expect(page.getByRole('tab', { name: /Portuguese/ })).toHaveText('Portuguese, has text');
  await toggle(page, 'Thread posts').press('Space');
  await expect(field(page, 'Thread posts limit')).toBeVisible();
  await field(page, 'Thread posts limit').press('ArrowUp');
  await field(page, 'Thread posts limit').press('Enter');
  await expect(page.getByText('Plan created successfully: creator')).toBeVisible();
  expect(app.callsTo(planCreate)[0]?.body).toMatchObject({
    displayName: { en: 'Creator', pt: 'Criador' },
    limits: { thread_posts: true, thread_posts_limit: 2 },
  });
});

test('a refusal is said once, at its field, and nothing typed is lost', async ({
  page,
  app,
  catalogue,
}) => {
  await catalogue.plan({ name: 'creator' });
  await openPlanForm(page, app);
  await fillRequiredOfPlan(page);
  const held = await app.hold(planCreate);
  await submitPlan(page).click();
  await expect(page.getByText('Creating...')).toBeVisible();
  held.release();
  await expect(field(page, 'Name')).toHaveAccessibleDescription(
    /A plan with this name already exists/,
  );
  await expect(field(page, 'Name')).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);

  await field(page, 'Name').fill('another');
  await toggle(page, 'Paid plan').click();
  await field(page, 'Monthly price (USD)').fill('9');
  await field(page, 'Monthly price (JPY)').fill('999');
  await catalogue.removeCurrency('jpy');
  await submitPlan(page).click();
  await expect(field(page, 'Monthly price (JPY)')).toHaveAccessibleDescription(
    'There is no currency JPY',
  );
  await expect(field(page, 'Monthly price (JPY)')).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(field(page, 'Name')).toHaveValue('another');
  await expect(page).toHaveURL(/\/plans\/create$/);
});

test('leaving with unsaved changes asks first', async ({ page, app }) => {
  await openPlanForm(page, app);
  await field(page, 'Name').fill('creator');
  await page.getByRole('link', { name: 'Cancel' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(/\/plans\/create$/);
  await expect(field(page, 'Name')).toHaveValue('creator');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page).toHaveURL(/\/plans$/);
});

test('on a phone the languages stand on one line, which scrolls to the chosen one', async ({
  page,
  app,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openPlanForm(page, app);
  const tabs = page.getByRole('tab');
  await expect(tabs).toHaveCount(7);
  const tops = await tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  await tabs.first().press('End');
  await expect(tabs.last()).toHaveAttribute('aria-selected', 'true');
  await expect(tabs.last()).toBeInViewport({ ratio: 1 });
  await expectNoSidewaysScroll(page);
});
