import { defineConfig } from '@playwright/test';
import { keepFilesInMemory } from '../server/test/memory-folder.ts';
import { STORY_POSTS } from './support/story-posts.ts';

keepFilesInMemory();

// Debian's Chromium or whatever the test command found; without it, Playwright's own.
const executablePath = process.env['CHROMIUM_PATH'];

// Playwright hides scrollbars; on many desktops they take 15 px of the page: SCROLLBARS=classic.
const hasClassicScrollbars = process.env['SCROLLBARS'] === 'classic';
const ignoreDefaultArgs = ['--hide-scrollbars'];

const launchOptions = {
  ...(hasClassicScrollbars && { ignoreDefaultArgs }),
  ...(executablePath && { executablePath }),
  args: [
    '--no-sandbox',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-quic',
    '--no-first-run',
    '--disable-gpu',
    // Else every page starts in a process that its first navigation replaces by another.
    '--renderer-process-limit=1',
  ],
};

/** The stories, told among many posts; each takes as long as it likes. */
const amongMany = {
  globalSetup: './support/fill-database.ts',
  grep: /@many/,
  timeout: 600_000,
  expect: { timeout: 60_000 },
};

export default defineConfig({
  testDir: '.',
  fullyParallel: false,
  forbidOnly: Boolean(process.env['CI']),
  workers: 3,
  // One that passes at the second try is named at the end of the run.
  retries: 1,
  // They bound what hangs; a slow machine may take its time.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  outputDir: '../test-results',
  testIgnore: STORY_POSTS > 0 ? [] : 'many/**',
  ...(STORY_POSTS > 0 && amongMany),
  projects: [
    { name: 'browser' },
    {
      name: 'classic scrollbars',
      testMatch: '*widths.spec.ts',
      use: { launchOptions: { ...launchOptions, ignoreDefaultArgs } },
    },
  ],
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    // Recording costs more than most tests: the second try has one, and the first with TRACE=1.
    trace: process.env['TRACE'] ? 'retain-on-failure' : 'on-first-retry',
    launchOptions,
  },
});
