import { expect, test as base } from '@playwright/test';
import type { Page } from '@playwright/test';
import { App } from './app.ts';
import { Catalogue } from './catalogue.ts';
import { startFilled } from './filled.ts';
import { Templates } from './meridian.ts';
import type { Meridian, Running } from './meridian.ts';
import { openRows } from './rows.ts';
import type { Rows } from './rows.ts';
import { StandIn } from './stand-in.ts';
import { STORY_POSTS } from './story-posts.ts';
import { rememberToken } from './token.ts';

/** Rows of a server that holds nothing but what a test writes. */
type Blank = { meridian: Meridian; rows: Rows; catalogue: Catalogue };
type Fixtures = {
  /** The real server with demonstration data. Like every server here it is one test's own. */
  meridian: Meridian;
  /** Without anything that no test wrote, unless the stories are told among many posts. */
  blank: Blank;
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
  templates: Templates;
  /** For the stories among many posts, which share a database. */
  filled: Blank | null;
};

/** Pictures of the product itself, and of trusted hosts. */
const PICTURE_HOSTS = {
  CDN_BASE_URL: 'https://cdn.product.test/',
  IMAGE_HOSTS: 'pds.example.test,video.example.test,pictures.example.test',
};

async function openBlank({ dataDir, meridian }: Running) {
  const rows = await openRows(dataDir, meridian);
  const catalogue = await Catalogue.open(dataDir, meridian);
  return {
    rows,
    catalogue,
    close: async () => void (await Promise.all([rows.close(), catalogue.close()])),
  };
}

async function fillBlank(running: Running): Promise<void> {
  const { rows, catalogue, close } = await openBlank(running);
  await rows.engine.reset();
  await catalogue.reset();
  await close();
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  templates: [
    // eslint-disable-next-line no-empty-pattern -- the test runner reads the fixtures from this pattern
    async ({}, provide) => {
      const templates = new Templates();
      await provide(templates);
      await templates.remove();
    },
    { scope: 'worker' },
  ],

  filled: [
    // eslint-disable-next-line no-empty-pattern -- the test runner reads the fixtures from this pattern
    async ({}, provide, { workerIndex }) => {
      if (STORY_POSTS === 0) return provide(null);
      const { stop, ...server } = await startFilled(`stories_${workerIndex}`);
      await provide(server);
      await stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],

  meridian: [
    async ({ templates, context }, provide) => {
      const { meridian, stop } = await templates.start({ NETWORK: 'off' });
      await provide(meridian);
      // The page goes first: to it, a server that stops is a fault.
      await context.close();
      await stop();
    },
    { timeout: 300_000 },
  ],

  blank: [
    async ({ templates, filled, context }, provide) => {
      if (filled !== null) {
        await filled.rows.clear();
        await filled.catalogue.reset();
        return provide(filled);
      }
      const running = await templates.start({ DEMO_DATA: 'off', ...PICTURE_HOSTS }, fillBlank);
      const { rows, catalogue, close } = await openBlank(running);
      await provide({ meridian: running.meridian, rows, catalogue });
      await context.close();
      await close();
      await running.stop();
    },
    { timeout: 300_000 },
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

  visitor: async ({ page, blank }, provide) => provide(new App(page, blank)),

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
