import './lib/require-node.mjs';
import { ensureChromium } from './lib/chromium.mjs';
import { cleanEnv } from './lib/clean-env.mjs';
import { ensurePages } from './lib/page-builds.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { LEFT_OUT_FILES, LEFT_OUT_TITLES } from './lib/left-out.mjs';
import { endWithChildren } from './lib/run.mjs';
import { main } from './lib/say.mjs';
import { staticChecks } from './lib/static-checks.mjs';
import { printSummary, step } from './lib/steps.mjs';
import { runPlaywright, runVitest } from './lib/test-runs.mjs';

await main(async () => {
  endWithChildren();
  await ensureInstalled();
  // A download may take a while and needs no processor: it runs beside the rest.
  const chromium = ensureChromium();
  chromium.catch(() => {}); // reported by the step that needs it

  // What only reads the sources shares the processor; tests that wait for things have it alone.
  const steps = await Promise.all([
    ...staticChecks.map((check) => step(check.name, check.run)),
    step('build', buildConsole),
  ]);
  const files = LEFT_OUT_FILES.map((pattern) => `--exclude=${pattern}`);
  const specs = ['--grep-invert', LEFT_OUT_TITLES];
  steps.push(await step('tests', () => runVitest(files)));
  steps.push(await step('browser', async () => runPlaywright(await chromium, specs)));
  return printSummary(steps);
});

async function buildConsole() {
  await ensurePages(cleanEnv());
  return { ok: true };
}
