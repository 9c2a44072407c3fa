import { existsSync, readFileSync } from 'node:fs';

/**
 * Counts out of the reporters' files. A run that fails without a failed test (a crash, an error
 * outside of any test, no report at all) counts as one failure: red is never shown as green.
 */
export function countVitest(file, exitCode) {
  const report = readReport(file);
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const brokenFiles = report.testResults.filter(
    (one) =>
      one.status === 'failed' && one.assertionResults.every(({ status }) => status !== 'failed'),
  );
  return atLeastOneFailure(exitCode, {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  });
}

/** A test that passed only when it was tried again counts as passed, and is named: see `flakyTests`. */
export function countPlaywright(file, exitCode) {
  const report = readReport(file);
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return atLeastOneFailure(exitCode, { passed: expected + flaky, failed: unexpected, skipped });
}

/** The tests of a Playwright report that passed at the second try, as lines. */
export function flakyTests({ suites = [] }) {
  return suites.flatMap(flakyIn);
}

function flakyIn({ suites = [], specs = [] }) {
  const own = specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
    .map(({ file, line, title }) => `flaky: ${file}:${line} › ${title}`);
  return [...own, ...suites.flatMap(flakyIn)];
}

export function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function atLeastOneFailure(exitCode, counts) {
  return exitCode === 0 || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}
