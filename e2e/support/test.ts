import { expect, test as base } from '@playwright/test';
import type { Page } from '@playwright/test';
import { App } from './app.ts';
import { Catalogue } from './catalogue.ts';
import { startFilled } from './filled.ts';
import { startMeridian } from './meridian.ts';
import type { Meridian } from './meridian.ts';
import { openRows } from './rows.ts';
import type { Rows } from './rows.ts';
import { StandIn } from './stand-in.ts';
import { STORY_POSTS } from './story-posts.ts';
import { rememberToken } from './token.ts';

type Fixtures = {
  /** Complaints of the browser: errors, warnings, exceptions, policy violations. Must end empty. */
  complaints: string[];
  /** Another vendor's server, with a signed-in administrator. */
  standIn: StandIn;
  /** Signed in on the real server, with nothing opened yet. */
  signedIn: Page;
  /** Signed in on a real server whose tables are empty. */
  app: App;
  /** The same server, without a session. */
  visitor: App;
  /** Currencies, plans, tickets and settings of that server. */
  catalogue: Catalogue;
};
type WorkerFixtures = {
  meridian: Meridian;
  /** Without anything that no test wrote, unless the stories are told among many posts. */
  blank: { meridian: Meridian; rows: Rows; catalogue: Catalogue };
};

/** Pictures of the product itself, and of trusted hosts. */
const PICTURE_HOSTS = {
  CDN_BASE_URL: 'https://cdn.product.test/',
  IMAGE_HOSTS: 'pds.example.test,video.example.test,pictures.example.test',
};

async function startBlank() {
  const settings = { DEMO_DATA: 'off', ...PICTURE_HOSTS };
  const { meridian, dataDir, stop } = await startMeridian(settings);
  const rows = await openRows(dataDir, meridian);
  const catalogue = await Catalogue.open(dataDir, meridian);
  return {
    meridian,
    rows,
    catalogue,
    async stop() {
      await Promise.all([rows.close(), catalogue.close()]);
      await stop();
    },
  };
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  meridian: [
    // eslint-disable-next-line no-empty-pattern -- the test runner reads the fixtures from this pattern
    async ({}, provide) => {
      const { meridian, stop } = await startMeridian({ NETWORK: 'off' });
      await provide(meridian);
      await stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],

  blank: [
    // eslint-disable-next-line no-empty-pattern -- the test runner reads the fixtures from this pattern
    async ({}, provide, { workerIndex }) => {
      const { stop, ...server } =
        STORY_POSTS > 0 ? await startFilled(`stories_${workerIndex}`) : await startBlank();
      await provide(server);
      await stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],

  complaints: [
    async ({ context }, provide) => {
      const complaints: string[] = [];
      // Of every tab, not only of the first.
      context.on('console', (message) => {
        if (
          ['error', 'warning'].includes(message.type()) &&
          !isExpectedNetworkNote(message.text())
        ) {
          complaints.push(`${message.type()}: ${message.text()}`);
        }
      });
      context.on('weberror', (found) => complaints.push(`exception: ${found.error().message}`));
      await provide(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],

  // eslint-disable-next-line no-empty-pattern -- the test runner reads the fixtures from this pattern
  standIn: async ({}, provide) => {
    const standIn = await StandIn.start();
    await provide(standIn);
    await standIn.close();
    expect(standIn.strays).toEqual([]);
  },

  signedIn: async ({ page, meridian }, provide) => {
    await rememberToken(page, await meridian.token());
    await provide(page);
  },

  visitor: async ({ page, blank }, provide) => {
    await blank.rows.clear();
    await blank.catalogue.reset();
    await provide(new App(page, blank));
  },

  app: async ({ page, visitor }, provide) => {
    await rememberToken(page, await visitor.meridian.token());
    await provide(visitor);
  },

  catalogue: ({ blank }, provide) => provide(blank.catalogue),
});

export { expect, rememberToken };
export {
  expectAccessible,
  expectLayoutAccessible,
  expectReadableColours,
} from './accessibility.ts';

/** The browser itself notes every failed request; whether that was right is for the test to say. */
function isExpectedNetworkNote(text: string): boolean {
  return text.startsWith('Failed to load resource:');
}
