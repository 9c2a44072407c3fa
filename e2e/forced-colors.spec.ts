import { settingsUpdate } from '@meridian/contract';
import type { Locator, Page } from '@playwright/test';
import { findSampleIds } from './support/screens.ts';
import { handleOf, people, test } from './support/people-page.ts';
import { expect, expectReadableColours } from './support/test.ts';

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

/** What a color of the system is, such as Highlight. */
const systemColor = (page: Page, name: string): Promise<string> =>
  page.evaluate((wanted) => {
    // Beside the page and not in it, where React may replace the element meanwhile.
    const probe = document.createElement('span');
    probe.className = 'color-mark';
    probe.style.backgroundColor = wanted;
    document.body.append(probe);
    const color = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return color;
  }, name);

/** Filled with the system's highlight, unlike its neighbor. */
async function expectHighlighted(chosen: Locator, other: Locator) {
  await expect(chosen).toHaveCSS('forced-color-adjust', 'none');
  const highlight = await systemColor(chosen.page(), 'Highlight');
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

test('the line of an open select that has the focus has a ring', async ({ page, app }) => {
  await app.open('/users');
  const status = page.getByRole('combobox', { name: 'Status' });
  await status.press('Enter');
  await page.keyboard.press('ArrowDown');
  const line = status.getByRole('option', { name: 'Active' });
  await expect(line).toBeFocused();
  await expect(line).toHaveCSS('outline-style', 'solid');
  await expect(line).toHaveCSS('outline-width', '2px');
  // The list scrolls, so that it would cut off a ring outside.
  await expect(line).toHaveCSS('outline-offset', '-2px');
});

test('the text of a filled button is of the system, as its ground is', async ({
  page,
  service,
}) => {
  await page.goto(`${service.url}/login`);
  const submit = page.getByRole('button', { name: 'Log in' }).getByText('Log in', { exact: true });
  await expect(submit).toHaveCSS('color', await systemColor(page, 'ButtonText'));

  await page.goto(`${service.url}/me`);
  await people.handle(page).fill(handleOf('forced'));
  await page.getByRole('button', { name: 'Sign in with Bluesky' }).click();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, forcedColors: 'active' });
    await expect(page.getByRole('button', { name: 'Allow' })).toHaveCSS(
      'color',
      await page
        .getByRole('button', { name: 'Deny' })
        .evaluate((button) => getComputedStyle(button).color),
    );
    await expectReadableColours(page);
  }
});

test('the highest bar is told from the others', async ({ page, app }) => {
  const soon = Date.now() + 30 * 60_000;
  for (const minutes of [0, 2, 2]) {
    await app.rows.post({ scheduled_at: new Date(soon + minutes * 60_000).toISOString() });
  }
  await app.open('/');
  const chart = page.getByRole('group', { name: 'Due in the next hour' });
  const bars = chart.getByRole('link');
  await expect(bars).toHaveCount(2);
  const fills = await bars.evaluateAll((all) =>
    all.map((bar) => getComputedStyle(bar.querySelector('rect:last-of-type') ?? bar).fill),
  );
  expect(new Set(fills).size).toBe(2);

  await test.step('the focus ring stands around the column, not stretched with it', async () => {
    await bars.first().focus();
    await page.keyboard.press('ArrowRight');
    const ring = chart.locator('xpath=following-sibling::*[@data-focus-ring]');
    await expect(ring).toBeVisible();
    await expect(ring).toHaveCSS('outline-width', '2px');
    await expect(ring).toHaveText(/: 2 posts$/);
    await page.keyboard.press('Escape');
    await expect(ring).toHaveText('');
    const [around, bar] = await Promise.all([ring.boundingBox(), bars.nth(1).boundingBox()]);
    expect(around?.x).toBeCloseTo(bar?.x ?? NaN, 0);
    expect(around?.width).toBeCloseTo(bar?.width ?? NaN, 0);
    await page.keyboard.press('Tab');
    await expect(ring).toBeHidden();
  });
});

test('the strip of a suspension is told from what scrolls below it', async ({ page, app }) => {
  await app.meridian.call(settingsUpdate, { body: { is_service_suspended: true } });
  await app.open('/users');
  const strip = page.getByRole('complementary', { name: 'Service state' }).getByRole('paragraph');
  await expect(strip).toHaveCSS('border-bottom-width', '1px');
});

test('a theme chosen by hand gives way to the scheme of the contrast theme', async ({
  signedIn: page,
  meridian,
}) => {
  await page.goto(`${meridian.url}/plans`);
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  await page.getByRole('button', { name: /@admin$/ }).click();
  for (const theme of ['Dark', 'Light']) {
    await page.getByRole('menuitemradio', { name: theme }).click();
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme.toLowerCase());
    expect(await scheme()).toBe('light dark');
  }
  await page.emulateMedia({ forcedColors: 'none' });
  expect(await scheme()).toBe('light');
});
