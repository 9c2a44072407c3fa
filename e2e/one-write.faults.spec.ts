import { authMe, TOKEN_STORAGE_KEY } from '@meridian/contract';
import type { BrowserContext, Page } from '@playwright/test';
import { FORM_RESPONSES, SAMPLE_IDS } from './support/form-responses.ts';
import { FORMS } from './support/forms.ts';
import type { Form } from './support/forms.ts';
import { gate } from './support/gate.ts';
import { everyRound, ROUNDS, ROUNDS_TIMEOUT_MS } from './support/rounds.ts';
import { ME } from './support/samples.ts';
import type { StandIn } from './support/stand-in.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';
import { answerEverything } from './support/whole-stand-in.ts';

/** How a user in a hurry sends a form, and whether its response is held back. */
type Way = {
  name: string;
  send: (page: Page, form: Form, arrived: () => Promise<void>) => Promise<void>;
  isSlow: boolean;
};

const WAYS: readonly Way[] = [
  { name: 'a double click', isSlow: false, send: (page, form) => form.submit(page).dblclick() },
  {
    name: 'a held Enter key',
    isSlow: false,
    async send(page) {
      // Down without up in between is how a key repeats.
      for (let repeat = 0; repeat < 5; repeat += 1) await page.keyboard.down('Enter');
      await page.keyboard.up('Enter');
    },
  },
  {
    name: 'more clicks and Enter while the network is slow',
    isSlow: true,
    async send(page, form, arrived) {
      await form.submit(page).click();
      await arrived();
      // The hand is still where it was; what is under it may look different now.
      for (let more = 0; more < 3; more += 1) {
        await page.mouse.down();
        await page.mouse.up();
      }
      await page.keyboard.press('Enter');
    },
  },
];

/** The double click is also tried where each form is tested by itself. */
const TRIED = ROUNDS > 1 ? WAYS : WAYS.slice(1);

/** In a tab of its own: what the one before left behind is not the next one's. */
async function open(context: BrowserContext, standIn: StandIn, form: Form): Promise<Page> {
  const page = await context.newPage();
  answerEverything(standIn);
  if (form.isPublic === true) {
    standIn.on(authMe, { body: ME });
    await page.addInitScript((key) => {
      // Once only, as the login that follows stores another.
      if (sessionStorage.getItem('token-taken')) return;
      sessionStorage.setItem('token-taken', 'yes');
      localStorage.removeItem(key);
    }, TOKEN_STORAGE_KEY);
    await page.goto(standIn.url + form.path(SAMPLE_IDS));
  } else {
    await visit(page, standIn, form.path(SAMPLE_IDS));
  }
  return page;
}

for (const form of FORMS) {
  // Proves 4.32
  test(`${form.name} is sent once, however hurried the hand`, async ({ context, standIn }) => {
    test.setTimeout(ROUNDS_TIMEOUT_MS);
    await everyRound(async (round) => {
      for (const { name, send, isSlow } of TRIED) {
        await test.step(`${name}, round ${round}`, async () => {
          const page = await open(context, standIn, form);
          const [response, sent] = [gate(), gate()];
          const before = standIn.callsTo(form.endpoint).length;
          if (!isSlow) response.open();
          standIn.on(form.endpoint, () => {
            sent.open();
            return { body: FORM_RESPONSES.get(form.endpoint.name), until: response.opened };
          });
          await form.fill(page);
          await send(page, form, () => sent.opened);
          response.open();
          await expect(form.done(page)).toBeVisible();
          expect(standIn.callsTo(form.endpoint).length - before).toBe(1);
          await page.close();
        });
      }
    });
  });
}
