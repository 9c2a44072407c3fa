import { postGet } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { SAMPLE_IDS } from './support/form-responses.ts';
import { navigate } from './support/navigate.ts';
import { untilAnswered, watchRequests } from './support/open-requests.ts';
import { PAYLOADS, poisoned } from './support/payloads.ts';
import { samplePost } from './support/samples.ts';
import { SCREENS } from './support/screens.ts';
import type { Screen } from './support/screens.ts';
import { shownPayloads } from './support/shown-payloads.ts';
import type { StandIn } from './support/stand-in.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';
import { answerEverything } from './support/whole-stand-in.ts';

/*
 * Against a server without a content security policy: what is tested is that text stays text, not
 * that the browser would have stopped it.
 */

const ROUNDS = 3;

function link(byteStart: number, byteEnd: number) {
  const features = [{ $type: 'app.bsky.richtext.facet#link', uri: 'x' }];
  return { index: { byteStart, byteEnd }, features };
}

/** A post with every kind of text and address that its author can choose. */
function richPost() {
  return samplePost({
    content: 'A text of some length, with two links in it.',
    facets: [link(0, 6), link(10, 20)],
    embed: {
      $type: 'app.bsky.embed.recordWithMedia',
      media: { $type: 'app.bsky.embed.images', images: [{ image: 'x', alt: 'x' }] },
      external: { uri: 'x', title: 'x', description: 'x', thumb: 'x' },
    },
    languages: ['x'],
    error_msg: 'x',
    at_uri: 'x',
  });
}

/** What must not have happened, in words. */
async function watch(page: Page) {
  const seen: string[] = [];
  page.on('dialog', (dialog) => {
    seen.push(`dialog ${dialog.message()}`);
    dialog.dismiss().catch(() => {});
  });
  page.on('popup', (popup) => seen.push(`popup ${popup.url()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith('http://127.0.0.1:')) seen.push(`request ${request.url()}`);
  });
  return seen;
}

/** An override, an isolate and a zero-width space, as a name that poses as another has them. */
const DISGUISED = 'Sup\u202eport\u2066 te\u200bam';

const disguised = () => () => DISGUISED;

async function expectHiddenCharactersMarked(page: Page) {
  const raw = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      // What is being edited is shown as it is, to be edited.
      const isEdited = node.parentElement?.closest('textarea') !== null;
      if (!isEdited && /[\u200b\u202e\u2066]/u.test(node.nodeValue ?? '')) {
        found.push(node.parentElement?.outerHTML ?? '');
      }
    }
    return found;
  });
  expect(raw).toEqual([]);
}

async function expectLoaded(page: Page) {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Loading...')).toHaveCount(0);
  await untilAnswered(page);
}

/** These show no foreign text but the name of the signed-in administrator. */
const WITHOUT_TEXTS = new Set(['Dashboard', 'Add New Currency', 'Change Password']);
const SIGNED_IN = SCREENS.filter(({ isPublic }) => !isPublic);
const shownSomewhere = new Set<string>();

test.beforeEach(({ standIn }) => {
  standIn.hasPolicy = false;
});

/** One payload after the other, on each screen and in each round from another one on. */
function payloadsFrom(screenIndex: number, round: number): () => string {
  let position = screenIndex * 7 + round * Math.ceil(PAYLOADS.length / ROUNDS);
  return () => {
    position += 1;
    return PAYLOADS[position % PAYLOADS.length] ?? '';
  };
}

/** Each screen in turn on one page, with texts of `textsFor` in place of all that the server sends. */
async function onEveryScreen(
  { page, standIn }: { page: Page; standIn: StandIn },
  textsFor: (screenIndex: number) => () => string,
  check: (screen: Screen) => Promise<void>,
) {
  watchRequests(page);
  for (const [index, screen] of SIGNED_IN.entries()) {
    await test.step(screen.name, async () => {
      const text = textsFor(index);
      answerEverything(standIn, undefined, (body) => poisoned(body, text));
      standIn.on(postGet, { body: poisoned({ post: richPost() }, text) });
      const path = screen.path(SAMPLE_IDS);
      if (index > 0) await navigate(page, path);
      else await visit(page, standIn, path, { username: text(), displayName: text() });
      await expectLoaded(page);
      expect(new URL(page.url()).pathname).toBe(path);
      await check(screen);
    });
  }
}

for (let round = 0; round < ROUNDS; round += 1) {
  test(`every screen shows hostile texts as texts, round ${round + 1}`, async ({
    page,
    standIn,
  }) => {
    test.slow();
    const seen = await watch(page);
    await onEveryScreen(
      { page, standIn },
      (index) => payloadsFrom(index, round),
      async ({ name }) => {
        const found = await page.evaluate(() => ({
          ran: '__xss' in window,
          elements: document.querySelectorAll(
            'main :is(script, iframe, object, embed, base, style)',
          ).length,
          addresses: [...document.querySelectorAll('a[href], img[src]')]
            .map((element) => element.getAttribute('href') ?? element.getAttribute('src') ?? '')
            .filter((address) => !/^(https?:\/\/|\/(?![/\\])|#)/u.test(address)),
        }));
        expect(found).toEqual({ ran: false, elements: 0, addresses: [] });

        // Else there was nothing that could have gone wrong.
        const { within, around } = await shownPayloads(page);
        expect(around).not.toEqual([]);
        if (!WITHOUT_TEXTS.has(name)) expect(within).not.toEqual([]);
        for (const payload of [...within, ...around]) shownSomewhere.add(payload);
      },
    );
    expect(seen).toEqual([]);
  });
}

test('between them the screens above showed every one of the texts', () => {
  expect(PAYLOADS.filter((payload) => !shownSomewhere.has(payload))).toEqual([]);
});

test('every screen marks hidden characters', async ({ page, standIn }) => {
  test.slow();
  await onEveryScreen({ page, standIn }, disguised, () => expectHiddenCharactersMarked(page));
});
