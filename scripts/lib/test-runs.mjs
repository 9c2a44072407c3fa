import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnv } from './clean-env.mjs';
import { filesUnder } from './files.mjs';
import { root } from './root.mjs';
import { run, tool } from './run.mjs';
import { countPlaywright, countVitest } from './test-results.mjs';

const browserTests = join(root, 'e2e');

/** Unit and API tests. */
export function runVitest(args = [], env = {}) {
  return withReportFile(async (report) => {
    const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
    const result = await run(tool('vitest'), ['run', ...reporters, ...args], {
      env: cleanEnv(env),
      show: true,
    });
    return countVitest(report, result.code);
  });
}

/** Browser tests against the real server; the console must have been built. */
export function runPlaywright(chromiumPath, args = [], env = {}) {
  if (!hasBrowserTests()) return { passed: 0, failed: 0, note: 'there are none yet' };
  return withReportFile(async (report) => {
    const result = await run(tool('playwright'), ['test', '--reporter=list,json', ...args], {
      cwd: browserTests,
      env: cleanEnv({
        CHROMIUM_PATH: chromiumPath,
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        ...env,
      }),
      show: true,
    });
    return countPlaywright(report, result.code);
  });
}

function hasBrowserTests() {
  return (
    existsSync(join(browserTests, 'playwright.config.ts')) &&
    filesUnder(browserTests).some((file) => /\.(spec|test|e2e)\.ts$/.test(file))
  );
}

async function withReportFile(work) {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-report-'));
  try {
    return await work(join(folder, 'report.json'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
