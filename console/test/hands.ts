import { type Clock, install } from '@sinonjs/fake-timers';
import { expect } from 'vitest';
import { commands, type Locator, page, userEvent } from 'vitest/browser';

/*
 * What a person does. An action of the provider takes 50 ms, as it waits until the element has not moved
 * for two frames. These look for themselves whether the element can be used, then use the real mouse and
 * keyboard, and take 10 ms.
 */

declare module 'vitest/browser' {
  interface BrowserCommands {
    clickAt: (x: number, y: number, times: number) => Promise<void>;
    restMouse: () => Promise<void>;
  }
}

/** Something to type or choose in, by its name as screen readers say it. */
export const field = (name: string): Locator =>
  page
    .getByRole('textbox', { name })
    .or(page.getByRole('spinbutton', { name }))
    .or(page.getByRole('combobox', { name }));

export const toggle = (name: string): Locator => page.getByRole('switch', { name });
export const button = (name: string | RegExp): Locator => page.getByRole('button', { name });
export const link = (name: string): Locator => page.getByRole('link', { name });

/** The text of everything found, in order; compared in `expect.poll`. */
export const texts = (target: Locator) => (): string[] =>
  target.elements().map((element) => (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim());

const MOUSE = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick'] as const;

/** Presses the middle of what is in sight and in nothing's way. */
export async function click(target: Locator, times = 1): Promise<void> {
  let isHit: boolean | undefined;
  while (isHit !== true) {
    const element = await usable(target);
    const { x, y, width, height } = element.getBoundingClientRect();
    isHit = undefined;
    // It may move before the mouse is there: what is then below the mouse must not be pressed.
    const judge = (event: Event) => {
      isHit ??= isPartOf(event.target, element);
      if (isHit) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    for (const type of MOUSE) window.addEventListener(type, judge, true);
    await commands.clickAt(x + width / 2, y + height / 2, times);
    for (const type of MOUSE) window.removeEventListener(type, judge, true);
  }
}

/** Types over what a field holds. */
export async function fill(target: Locator, text: string): Promise<void> {
  const element = await usable(target, (found) => isField(found) && !found.readOnly);
  if (!isField(element)) return;
  element.focus();
  element.select();
  // As typed: the events are the browser's own, and a field's longest length holds.
  document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
}

/** Chooses an option by its text. */
export async function choose(target: Locator, text: string): Promise<void> {
  const optionOf = (found: Element) =>
    found instanceof HTMLSelectElement && [...found.options].find((one) => one.text === text);
  const element = await usable(target, (found) => Boolean(optionOf(found)));
  const option = optionOf(element);
  if (!option) return;
  option.selected = true;
  for (const type of ['input', 'change']) element.dispatchEvent(new Event(type, { bubbles: true }));
}

/** Presses keys, in the writing of user-event, where the focus is or is put. */
export async function press(keys: string, target?: Locator): Promise<void> {
  if (target !== undefined) (await usable(target)).focus();
  await userEvent.keyboard(keys);
}

let stopped: Clock | undefined;

/**
 * Time stands still from `stop` until the test is over. Frames and answers still come. Not by the clock of
 * `vi`, which moves on whenever a test waits for something.
 */
export const clock = {
  stop(): void {
    // Frames keep their own time; what was set before the stop is still cleared.
    const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] as const;
    stopped = install({ toFake: [...toFake], now: Date.now(), shouldClearNativeTimers: true });
  },

  async run(ms: number): Promise<void> {
    await stopped?.tickAsync(ms);
  },

  /** Moves the time a millisecond at a time, as far as it takes to let something happen. */
  async until(target: Locator): Promise<void> {
    await expect
      .poll(async () => {
        await stopped?.tickAsync(1);
        return target.elements().length;
      })
      .toBe(1);
  },

  /** For the kit: time goes on, once everything that waits for the next frame has had its turn. */
  async release(): Promise<void> {
    if (stopped === undefined) return;
    // It is kept outside of the components, and would wait for ever.
    await drawn();
    await stopped.tickAsync(1);
    stopped.uninstall();
    stopped = undefined;
  },
};

/** The address inside the console. */
export const address = (): string => location.pathname + location.search + location.hash;

/** The browser's own Back, as far as the console hears of it. */
export async function goBack(): Promise<void> {
  const popped = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
  history.back();
  await popped;
}

/** What has arrived by now has been drawn. */
export async function drawn(): Promise<void> {
  for (let frames = 0; frames < 2; frames += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

/** Everything that has moved by itself since, as text; to be asked when all has been drawn. */
export function watchShifts(): () => Promise<string[]> {
  const shifts: string[] = [];
  const read = (entries: PerformanceEntryList) => {
    for (const entry of entries) {
      // The type of these entries is not in the DOM library.
      const { sources } = entry as PerformanceEntry & { sources: { node: Node | null }[] };
      // Whatever came before: the presses of the test before this one count as recent input.
      shifts.push(sources.map(({ node }) => node?.textContent?.slice(0, 60)).join(' | '));
    }
  };
  const observer = new PerformanceObserver((list) => read(list.getEntries()));
  observer.observe({ type: 'layout-shift' });
  return async () => {
    await drawn();
    read(observer.takeRecords());
    return shifts;
  };
}

type TextControl = HTMLInputElement | HTMLTextAreaElement;
const isField = (element: Element): element is TextControl =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

/** The one element, once a person could use it. */
async function usable(
  target: Locator,
  isReady: (element: Element) => boolean = () => true,
): Promise<HTMLElement> {
  const look = () => {
    const [element, ...others] = target.elements();
    if (others.length > 0) return `there are ${others.length + 1}`;
    if (!(element instanceof HTMLElement)) return 'not there';
    return isReady(element) ? (obstacle(element) ?? element) : 'not ready';
  };
  let found: ReturnType<typeof look> = 'not there';
  await expect
    .poll(() => (found = look()), { message: `in the way of ${target.selector}` })
    .not.toBeTypeOf('string');
  if (typeof found === 'string') throw new Error(found);
  return found;
}

/** Why a person cannot press it. */
function obstacle(element: HTMLElement): string | undefined {
  if (element.matches(':disabled')) return 'disabled';
  if (element.closest('[inert]') !== null) return 'inert';
  if (!element.checkVisibility({ visibilityProperty: true })) return 'not shown';
  if (!isPartOf(middle(element), element)) {
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
  }
  const hit = middle(element);
  return isPartOf(hit, element) ? undefined : `covered by ${hit?.outerHTML.slice(0, 80)}`;
}

function middle(element: Element): Element | null {
  const { x, y, width, height } = element.getBoundingClientRect();
  return document.elementFromPoint(x + width / 2, y + height / 2);
}

/** Its label counts as a part: pressing it presses the field. */
function isPartOf(hit: EventTarget | null, element: HTMLElement): boolean {
  if (!(hit instanceof Element)) return false;
  return element.contains(hit) || hit.closest('label')?.control === element;
}
