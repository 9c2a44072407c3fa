import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnv } from './clean-env.mjs';
import { failedPages } from './failed-pages.mjs';
import { filesUnder } from './files.mjs';
import { root } from './root.mjs';
import { run, tool } from './run.mjs';
import { say } from './say.mjs';
import { slowestFiles, slowestTests } from './slowest.mjs';
import { countPlaywright, countVitest, flakyTests, readReport } from './test-results.mjs';

const browserTests = join(root, 'e2e');
// In a file colour codes are noise. Each runner knows one of the two variables; Playwright tells its
// workers by the other one, and Node warns of both.
const isTerminal = process.stdout.isTTY;
const PLAIN_VITEST = isTerminal ? {} : { NO_COLOR: '1' };
const PLAIN_PLAYWRIGHT = isTerminal ? {} : { FORCE_COLOR: '0', NO_COLOR: undefined };

/** Unit and API tests. */
export function runVitest(args = [], env = {}) {
  return withReportFile(async (report) => {
    const reporters = ['--reporter=minimal', '--reporter=json', `--outputFile.json=${report}`];
    const result = await run(tool('vitest'), ['run', ...reporters, ...args], {
      env: cleanEnv({ ...PLAIN_VITEST, ...env }),
      ...(isTerminal ? { show: true } : { onOutput: (text) => process.stdout.write(text) }),
    });
    sayLines('The slowest files:', slowestFiles(readReport(report) ?? {}));
    return { ...countVitest(report, result.code), recap: result.output };
  });
}

/** Browser tests against the real server; the console must have been built. */
export function runPlaywright(chromiumPath, args = [], env = {}) {
  if (!hasBrowserTests()) return { passed: 0, failed: 0, note: 'there are none yet' };
  return withReportFile(async (report) => {
    const result = await run(tool('playwright'), ['test', '--reporter=list,json', ...args], {
      cwd: browserTests,
      env: cleanEnv({
        ...PLAIN_PLAYWRIGHT,
        CHROMIUM_PATH: chromiumPath,
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        ...env,
      }),
      show: true,
    });
    const found = readReport(report) ?? {};
    sayLines('What the pages of failed tests showed:', failedPages(found));
    sayLines('The slowest tests:', slowestTests(found));
    const flaky = flakyTests(found);
    sayLines('Passed only when tried again; their traces are in test-results:', flaky);
    return countPlaywright(report, result.code);
  });
}

function sayLines(title, lines) {
  if (lines.length > 0) say(['', title, ...lines, ''].join('\n'));
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
