import type { Locator } from '@playwright/test';
import { findSampleIds } from './support/screens.ts';
import { expect, test } from './support/test.ts';

/* In a contrast theme backgrounds are gone: every state must be told by something that is left. */

test.use({ forcedColors: 'active' });

type Look = { background: string; color: string; border: string };

const lookOf = (target: Locator): Promise<Look> =>
  target.evaluate((element) => {
    const style = getComputedStyle(element);
    return {
      background: style.backgroundColor,
      color: style.color,
      border: `${style.borderBottomWidth} ${style.borderBottomColor}`,
    };
  });

/** Filled with the system's highlight, unlike its neighbor. */
async function expectHighlighted(chosen: Locator, other: Locator) {
  await expect(chosen).toHaveCSS('forced-color-adjust', 'none');
  // Beside the page and not in it, where React may replace the element meanwhile.
  const highlight = await chosen.page().evaluate(() => {
    const probe = document.createElement('span');
    probe.className = 'color-mark';
    probe.style.backgroundColor = 'Highlight';
    document.body.append(probe);
    const color = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return color;
  });
  expect((await lookOf(chosen)).background).toBe(highlight);
  expect((await lookOf(other)).background).not.toBe(highlight);
}

test('the current link and the chosen filter, status and line of the palette are highlighted', async ({
  signedIn: page,
  meridian,
}) => {
  const { userId } = await findSampleIds(meridian);
  await page.goto(`${meridian.url}/tickets`);
  const main = page.getByRole('navigation', { name: 'Main' });
  await expectHighlighted(
    main.getByRole('link', { name: 'Tickets' }),
    main.getByRole('link', { name: 'Users' }),
  );
  const filters = page.getByRole('navigation', { name: 'Status' });
  await expectHighlighted(
    filters.getByRole('button', { name: /^All/ }),
    filters.getByRole('button', { name: /^Revoked/ }),
  );
  await page.goto(`${meridian.url}/users/${userId}`);
  const statuses = page.getByRole('region', { name: 'User Management' });
  await expectHighlighted(
    statuses.getByRole('button', { pressed: true }),
    statuses.getByRole('button', { pressed: false }).first(),
  );
  await page.keyboard.press('Control+k');
  await expectHighlighted(
    page.getByRole('option', { selected: true }),
    page.getByRole('option', { selected: false }).first(),
  );
});

test('the plan form shows its states', async ({ signedIn: page, meridian }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${meridian.url}/plans/create`);

  await test.step('the current section of the form is highlighted', async () => {
    const links = page.getByRole('navigation', { name: 'Sections of the form' }).getByRole('link');
    await expectHighlighted(links.first(), links.nth(1));
  });

  await test.step('a switch shows whether it is on', async () => {
    const paid = page.getByRole('switch', { name: /paid/i });
    const knobOf = (target: Locator) => lookOf(target.locator('xpath=following-sibling::*'));
    const off = { track: await lookOf(paid), knob: await knobOf(paid) };
    expect(off.knob.background).not.toBe(off.track.background);
    await paid.click();
    await expect(paid).toBeChecked();
    await expect.poll(async () => (await lookOf(paid)).background).not.toBe(off.track.background);
    const on = { track: await lookOf(paid), knob: await knobOf(paid) };
    expect(on.knob.background).not.toBe(on.track.background);
  });

  await test.step('the chosen tab is underlined, and no other', async () => {
    const chosen = await lookOf(page.getByRole('tab', { selected: true }).first());
    const other = await lookOf(page.getByRole('tab', { selected: false }).first());
    expect(chosen.border).not.toBe(other.border);
  });

  await test.step('a language with text has a dot that can be seen', async () => {
    await page.getByRole('textbox', { name: 'Display name' }).fill('Basic');
    const tab = page.getByRole('tab', { name: /^English/ });
    const dot = tab.locator('[aria-hidden=true]');
    expect((await lookOf(dot)).background).toBe((await lookOf(tab)).color);
  });
});

test('slices and legends keep their colors, badges and alerts have an outline', async ({
  signedIn: page,
  meridian,
}) => {
  await page.goto(meridian.url);
  const region = page.getByRole('region', { name: 'Users by Status' });
  await expect(region.getByRole('rowheader').first()).toBeVisible();
  const fills = await region
    .locator('svg path')
    .evaluateAll((paths) => paths.map((path) => getComputedStyle(path).fill));
  const swatches = await region
    .getByRole('rowheader')
    .locator('[aria-hidden=true]')
    .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
  expect(new Set(swatches).size).toBe(swatches.length);
  expect(swatches).toEqual(expect.arrayContaining(fills));

  await page.route('**/api/admin/tickets*', (route) => route.abort());
  await page.goto(`${meridian.url}/tickets`);
  await expect(page.getByRole('alert')).toHaveCSS('border-bottom-width', '1px');

  await page.goto(`${meridian.url}/users`);
  const badge = page.getByRole('cell', { name: 'Active' }).first().locator('span').first();
  await expect(badge).toHaveCSS('border-bottom-width', '1px');
});
