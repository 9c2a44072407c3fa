import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnv, run, tool } from './processes.mjs';
import { root } from './root.mjs';
import { say, seconds, Stop } from './say.mjs';

/**
 * Runs one step and prints how it went. The body answers `{ ok }` (one check) or counts
 * `{ passed, failed, skipped }`, with `output` for the reader of a failure.
 */
export async function step(name, body) {
  const startedAt = performance.now();
  const result = await body().catch((error) => ({
    output: error instanceof Stop ? error.message : error.stack,
  }));
  const { passed = result.ok ? 1 : 0, failed = result.ok ? 0 : 1, skipped = 0, output } = result;
  if (failed > 0 && output) process.stdout.write(`\n${output.trimEnd()}\n\n`);
  const done = { name, passed, failed, skipped, ms: performance.now() - startedAt };
  say(rowOf(done));
  return done;
}

/** A row for every step and the sum; answers the exit code. */
export function printSummary(steps) {
  say(['', ...steps.map(rowOf), ''].join('\n'));
  const total = (key) => steps.reduce((sum, one) => sum + one[key], 0);
  say(`${total('passed')} passed, ${total('failed')} failed`);
  return total('failed') === 0 ? 0 : 1;
}

function rowOf({ name, passed, failed, skipped, ms }) {
  const counts = `${String(passed).padStart(6)} passed ${String(failed).padStart(4)} failed`;
  const row = `  ${name.padEnd(12)}${counts}${seconds(ms).padStart(10)}`;
  return skipped > 0 ? `${row}  ${skipped} skipped` : row;
}

export function runVitest(args = [], env = {}) {
  return withReport(countVitest, (file) => {
    const reporters = ['--reporter=minimal', '--reporter=json', `--outputFile.json=${file}`];
    return run(tool('vitest'), ['run', ...reporters, ...args], { env: cleanEnv(env), show: true });
  });
}

/** Browser tests against the real server; the pages must have been built. */
export function runPlaywright(args = [], env = {}) {
  return withReport(countPlaywright, (file) => {
    return run(tool('playwright'), ['test', '--reporter=list,json', ...args], {
      cwd: join(root, 'e2e'),
      env: cleanEnv({ PLAYWRIGHT_JSON_OUTPUT_FILE: file, ...env }),
      show: true,
    });
  });
}

async function withReport(count, runTests) {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-report-'));
  try {
    const file = join(folder, 'report.json');
    const { code } = await runTests(file);
    return count(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined, code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function countVitest(report, exitCode) {
  if (report === undefined) return { passed: 0, failed: 1 };
  for (const line of flakyScreens(report)) say(line);
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = report;
  const skipped = numPendingTests + numTodoTests;
  return neverGreen({ passed: numPassedTests, failed: numFailedTests, skipped }, exitCode);
}

/** The tests of a Vitest report that passed at the second try. */
export function flakyScreens({ testResults = [] }) {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map(({ fullName }) => `flaky: ${name} › ${fullName}`),
  );
}

/** A test that passed only when it was tried again counts as passed, and is named as flaky. */
export function countPlaywright(report, exitCode) {
  if (report === undefined) return { passed: 0, failed: 1 };
  for (const line of flakyTests(report)) say(line);
  const { expected, unexpected, flaky, skipped } = report.stats;
  return neverGreen({ passed: expected + flaky, failed: unexpected, skipped }, exitCode);
}

/** In a run that failed without a failed test (a crash, an error outside of any test) one is counted. */
function neverGreen(counts, exitCode) {
  return exitCode === 0 || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

/** The tests of a Playwright report that passed at the second try; their traces are in test-results. */
export function flakyTests({ suites = [], specs = [] }) {
  const own = specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
    .map(({ file, line, title }) => `flaky: ${file}:${line} › ${title}`);
  return [...own, ...suites.flatMap(flakyTests)];
}
