import './lib/require-node.mjs';
import { ensureChromium } from './lib/chromium.mjs';
import { cleanEnv } from './lib/clean-env.mjs';
import { ensurePages } from './lib/page-builds.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { endWithChildren } from './lib/run.mjs';
import { main } from './lib/say.mjs';
import { printSummary, step } from './lib/steps.mjs';
import { runPlaywright } from './lib/test-runs.mjs';

// The browser tests alone; arguments go to Playwright.
await main(async () => {
  endWithChildren();
  await ensureInstalled();
  await ensurePages(cleanEnv());
  const args = process.argv.slice(2);
  return printSummary([
    await step('browser', async () => runPlaywright(await ensureChromium(), args)),
  ]);
});
