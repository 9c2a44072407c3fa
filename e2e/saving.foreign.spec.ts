import type { Page } from '@playwright/test';
import { FORM_RESPONSES, SAMPLE_IDS } from './support/form-responses.ts';
import { TYPED_FORMS } from './support/forms.ts';
import { gate } from './support/gate.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';
import { answerEverything } from './support/whole-stand-in.ts';

/* The page leaves once it is saved: what the fields took meanwhile would be neither saved nor kept. */

/** What every field of the form holds. */
const held = (page: Page) =>
  page.locator('form').evaluate((form: HTMLFormElement) =>
    [...form.elements].flatMap((element) => {
      if (element instanceof HTMLInputElement && element.type === 'checkbox') {
        return [String(element.checked)];
      }
      const isText = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
      return isText || element instanceof HTMLSelectElement ? [element.value] : [];
    }),
  );

/** Tries every kind of field there is. */
async function changeFields(page: Page) {
  const form = page.locator('form');
  await page.keyboard.type('7');
  await page.keyboard.press('ArrowUp');
  for (const box of await form.getByRole('switch').or(form.getByRole('checkbox')).all()) {
    await box.click({ force: true });
  }
  // As the browser reports a choice: Playwright itself chooses nothing in a select it may not use.
  for (const select of await form.getByRole('combobox').all()) {
    await select.evaluate((element: HTMLSelectElement) => {
      element.selectedIndex = element.options.length - 1;
      element.dispatchEvent(new Event('change', { bubbles: true }));
    });
  }
}

for (const form of TYPED_FORMS) {
  test(`${form.name}: its fields take nothing while they are being saved`, async ({
    page,
    standIn,
  }) => {
    answerEverything(standIn);
    await visit(page, standIn, form.path(SAMPLE_IDS));
    await form.fill(page);
    const focused = page.locator(':focus');
    const name = (await focused.getAttribute('name')) ?? '';
    const filled = await held(page);

    const [response, arrived] = [gate(), gate()];
    standIn.on(form.endpoint, () => {
      arrived.open();
      return { status: 422, body: { message: 'Not like this.' }, until: response.opened };
    });
    await page.keyboard.press('Enter');
    await arrived.opened;
    await expect(focused).toHaveAttribute('name', name);
    await expect(focused).not.toBeEditable();
    await changeFields(page);
    expect(await held(page)).toEqual(filled);

    // Not saved: the fields are there to be corrected.
    response.open();
    await expect(page.getByRole('alert')).toHaveText('Not like this.');
    const field = page.locator(`[name="${name}"]`);
    await expect(field).toBeEditable();
    const text = await field.inputValue();
    await field.focus();
    await page.keyboard.press('End');
    await page.keyboard.type('7');
    await expect(field).toHaveValue(`${text}7`);
    await page.keyboard.press('Backspace');

    standIn.on(form.endpoint, { body: FORM_RESPONSES.get(form.endpoint.name) });
    await form.submit(page).click();
    await expect(form.done(page)).toBeVisible();
  });
}
