import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { LEFT_OUT_FILES, LEFT_OUT_TITLES } from './lib/left-out.mjs';
import { ensureInstalled, ensurePages, ensureProgram } from './lib/prepare.mjs';
import { cleanEnv, endWithChildren, run, tool } from './lib/processes.mjs';
import { root } from './lib/root.mjs';
import { main } from './lib/say.mjs';
import { printSummary, runPlaywright, runVitest, step } from './lib/test-runs.mjs';

// `npm test`; `check`, `screens` and `browser` are parts of it. The arguments of `screens` go to Vitest, those
// of `browser` to Playwright.
await main(async () => {
  const [part, ...args] = process.argv.slice(2);
  endWithChildren();
  await ensureInstalled();
  if (part === 'check') return printSummary(await testSources());
  if (part === 'screens') return printSummary([await testScreens(args, ensureProgram('Chromium'))]);
  if (part === 'browser') {
    await buildPages();
    return printSummary([await testInBrowser(args, ensureProgram('Chromium'))]);
  }
  // A download may take a while and needs no processor: it runs beside the rest.
  const chromium = ensureProgram('Chromium');
  chromium.catch(() => {}); // reported by the step that needs it
  // Checks that only read the sources share the processor; tests that wait for things have it alone.
  const [checks, built] = await Promise.all([testSources(), step('build', buildPages)]);
  const files = LEFT_OUT_FILES.map((path) => `--exclude=**/${path}*{,/**}`);
  const tests = await step('tests', () => runVitest(['--project=!screens', ...files]));
  const screens = await testScreens([], chromium);
  const browser = await testInBrowser(['--grep-invert', LEFT_OUT_TITLES], chromium);
  return printSummary([...checks, built, tests, screens, browser]);
});

/** The pages of the console without a server: every request is answered by the contract's schemas. */
function testScreens(args, chromium) {
  return step('screens', async () => runVitest(['--project=screens', ...args], await chromium));
}

function testInBrowser(args, chromium) {
  return step('browser', async () => runPlaywright(args, await chromium));
}

/** Everything that can be said of the code without running it; each is one check in the count. */
function testSources() {
  return Promise.all([
    step('types', checkTypes),
    step('format', () => check('oxfmt', '--check')),
    step('lint', () => check('oxlint', '--type-aware')),
    step('dead code', () => check('knip', '--no-progress')),
  ]);
}

function check(name, ...args) {
  return run(tool(name), args, { env: cleanEnv() });
}

async function checkTypes() {
  const folders = readdirSync(root).filter((name) => existsSync(join(root, name, 'tsconfig.json')));
  const results = await Promise.all(
    folders.map((folder) => check('tsc', '--noEmit', '-p', folder, '--pretty', 'false')),
  );
  return {
    ok: results.every((result) => result.ok),
    output: results.map((result) => result.output).join(''),
  };
}

async function buildPages() {
  await ensurePages(cleanEnv());
  return { ok: true };
}
