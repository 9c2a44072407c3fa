import type { Page } from '@playwright/test';
import { PAYLOADS } from './payloads.ts';

type Regions<T> = {
  /** In the page itself. */
  within: T;
  /** Around it: the navigation, and who is signed in. */
  around: T;
};

/** The payloads that a person sees as they are: in texts, in choices and in fields. */
export async function shownPayloads(page: Page): Promise<Regions<string[]>> {
  const { within, around } = await shownTexts(page);
  return { within: payloadsIn(within), around: payloadsIn(around) };
}

const LONGEST_FIRST = PAYLOADS.toSorted((a, b) => b.length - a.length);
const GAP = '\u0000';

/** Some are part of others, so what was found is taken out before a shorter one is looked for. */
function payloadsIn(texts: readonly string[]): string[] {
  let rest = texts.join(GAP);
  return LONGEST_FIRST.filter((payload) => {
    const isFound = rest.includes(payload);
    if (isFound) rest = rest.replaceAll(payload, GAP);
    return isFound;
  });
}

function shownTexts(page: Page): Promise<Regions<string[]>> {
  return page.evaluate(() => {
    const texts: Regions<string[]> = { within: [], around: [] };
    const listOf = (element: Element) => texts[element.closest('main') ? 'within' : 'around'];
    let before: Element | null = null;
    const walker = document.createTreeWalker(
      document.body,
      NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
    );
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement;
      if (element === null) continue;
      let text = node.nodeValue ?? '';
      if (element === node) {
        // A character that hides is shown as a box that names it.
        const code = /^U\+([0-9A-F]+)$/.exec(element.getAttribute('title') ?? '')?.[1];
        if (code !== undefined) text = String.fromCodePoint(Number.parseInt(code, 16));
      }
      if (text === '') continue;
      // Choices are there to be opened; anything else must be on the screen.
      if (element.closest('option') === null && !element.checkVisibility()) continue;
      // Words of others may be in pieces, between which a line may break.
      const whole = element.closest('bdi') ?? element;
      const list = listOf(whole);
      list.push(whole === before ? (list.pop() ?? '') + text : text);
      before = whole;
    }
    const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      'input, textarea',
    );
    for (const field of fields) if (field.checkVisibility()) listOf(field).push(field.value);
    return texts;
  });
}
