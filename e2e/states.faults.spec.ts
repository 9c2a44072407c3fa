import { authMe, ENDPOINTS } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { gate } from './support/gate.ts';
import { SAMPLE_IDS } from './support/form-responses.ts';
import { navigate } from './support/navigate.ts';
import { ROUNDS } from './support/rounds.ts';
import { ME } from './support/samples.ts';
import { SCREENS } from './support/screens.ts';
import type { Screen } from './support/screens.ts';
import type { StandIn } from './support/stand-in.ts';
import { expect, rememberToken, test } from './support/test.ts';
import { answerEverything } from './support/whole-stand-in.ts';

/*
 * Every screen in every state, under the policy of the real server. What is looked for is nothing:
 * no violation of the policy, no error and no warning (the fixture `complaints` reads them all).
 */

const READS = ENDPOINTS.filter(({ method, name }) => method === 'GET' && name !== authMe.name);

type State = {
  name: string;
  arrange: (standIn: StandIn) => void;
  /** Waits until the screen shows this state; some forms are there whatever the server says. */
  seen: (page: Page, screen: Screen) => Promise<void>;
};

const heading = (page: Page) => expect(page.getByRole('heading', { level: 1 })).toBeVisible();
const nothingLoads = (page: Page) => expect(page.getByText('Loading...')).toHaveCount(0);

const never = gate();
const STATES: readonly State[] = [
  {
    name: 'data',
    arrange: (standIn) => answerEverything(standIn),
    seen: (page, { settled }) => expect(settled(page)).toBeVisible(),
  },
  {
    name: 'empty',
    arrange: (standIn) => answerEverything(standIn, undefined, emptied),
    async seen(page) {
      await heading(page);
      await nothingLoads(page);
    },
  },
  {
    name: 'error',
    arrange(standIn) {
      for (const endpoint of READS)
        standIn.on(endpoint, { status: 400, body: { message: 'Not today' } });
    },
    async seen(page, { settled }) {
      const failure = page.getByText(/Failed to load|could not be loaded|Not today/);
      await expect(failure.or(settled(page)).first()).toBeVisible();
    },
  },
  {
    name: 'loading',
    arrange: (standIn) => answerEverything(standIn, () => never.opened),
    async seen(page, { settled }) {
      const busy = page.getByText('Loading...').or(page.locator('[aria-busy="true"]'));
      await expect(busy.or(settled(page)).first()).toBeVisible();
    },
  },
];

/** The same response with empty lists and a total of 0; single resources stay. */
function emptied(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      if (Array.isArray(value)) return [key, []];
      return [key, key === 'total' || key === 'activeUsers' ? 0 : emptied(value)];
    }),
  );
}

/** With data and while loading every screen is seen on the real server too, by the tests of each. */
const TRIED =
  ROUNDS > 1 ? STATES : STATES.filter(({ name }) => name === 'empty' || name === 'error');

for (const state of TRIED) {
  test(`every screen in the state '${state.name}' breaks no rule and logs nothing`, async ({
    page,
    standIn,
  }) => {
    test.slow();
    standIn.on(authMe, { body: ME });
    state.arrange(standIn);
    let isInside = false;
    for (const screen of SCREENS) {
      await test.step(screen.name, async () => {
        if (isInside) await navigate(page, screen.path(SAMPLE_IDS));
        else await page.goto(standIn.url + screen.path(SAMPLE_IDS));
        await state.seen(page, screen);
      });
      isInside = screen.isPublic !== true;
      if (!isInside) await rememberToken(page, 'a-token');
    }
  });
}
