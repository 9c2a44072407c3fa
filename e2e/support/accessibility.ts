import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import axe from 'axe-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const LAYOUT_RULES = [
  'color-contrast link-in-text-block target-size scrollable-region-focusable aria-hidden-focus',
  'bypass skip-link page-has-heading-one heading-order empty-heading empty-table-header region',
  'landmark-one-main landmark-unique button-name link-name label select-name image-alt',
].flatMap((line) => line.split(' '));

/** No violation of any rule axe knows, in the theme and width the page has now. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolation(page, { type: 'tag', values: TAGS });
}

/** The rules that judge colours; for a page that keeps all the others already. */
export async function expectReadableColours(page: Page): Promise<void> {
  await expectNoViolation(page, { type: 'rule', values: ['color-contrast', 'link-in-text-block'] });
}

/**
 * The rules that depend on what is displayed, where and in which colours. Widths share one document,
 * so rules about roles, attributes and names of what it holds cannot differ between them.
 */
export async function expectLayoutAccessible(page: Page): Promise<void> {
  await expectNoViolation(page, { type: 'rule', values: LAYOUT_RULES });
}

async function expectNoViolation(page: Page, runOnly: axe.RunOnly): Promise<void> {
  // A document takes the script once, however many looks it is examined in.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async (only) => {
    // Put there by the script above.
    const { axe: inPage } = window as unknown as { axe: typeof axe };
    // What fades in has its colours only at the end. Spinners have none.
    const fading = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(fading.map(({ finished }) => finished));
    const results = await inPage.run({ resultTypes: ['violations'], runOnly: only });
    return results.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`,
    );
  }, runOnly);
  expect(violations).toEqual([]);
}
