import { existsSync } from 'node:fs';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import type { BrowserCommand } from 'vitest/node';
import { sourcePlugins } from '../ui/vite.ts';

// Debian's Chromium or whatever the test command found; without it, Playwright's own.
const places = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium-headless-shell'];
const executablePath = places.find((place) => place !== undefined && existsSync(place));

/** One press of the real mouse, where the test has looked for itself what is there. */
const clickAt: BrowserCommand<[x: number, y: number, times: number]> = (
  { page },
  x,
  y,
  clickCount,
) => page.mouse.click(x, y, { clickCount });

/** Into the corner, where nothing is hovered. */
const restMouse: BrowserCommand = ({ page }) => page.mouse.move(0, 0);

export default defineConfig({
  plugins: sourcePlugins(),
  optimizeDeps: { entries: ['src/main.tsx', 'test/*.test.tsx'] },
  test: {
    name: 'screens',
    include: ['test/*.test.tsx'],
    // A page loads the console once for all files; between two tests it forgets as after a logout.
    isolate: false,
    // One that passes at the second try is named at the end of the run, as in the browser.
    retry: 1,
    maxWorkers: 2,
    // A test takes a fraction of a second; `expect.element` waits as long as the test may take.
    testTimeout: 60_000,
    expect: { poll: { timeout: 40_000, interval: 5 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      viewport: { width: 1440, height: 900 },
      testerHtmlPath: './test/page.html',
      commands: { clickAt, restMouse },
      provider: playwright({
        launchOptions: {
          ...(executablePath && { executablePath }),
          args: ['--no-sandbox', '--disable-gpu'],
        },
        contextOptions: { locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
});
