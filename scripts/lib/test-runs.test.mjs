import { expect, test } from 'vitest';
import { countPlaywright, countVitest, flakyScreens, flakyTests } from './test-runs.mjs';

const vitestReport = ({ passed = 0, failed = 0, skipped = 0 }) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: skipped,
  numTodoTests: 0,
});

test.each([
  ['all passed', { passed: 3, skipped: 1 }, 0, { passed: 3, failed: 0, skipped: 1 }],
  ['one failed', { passed: 2, failed: 1 }, 1, { passed: 2, failed: 1, skipped: 0 }],
  ['an error outside of any test', { passed: 3 }, 1, { passed: 3, failed: 1, skipped: 0 }],
  ['nothing ran', {}, 1, { passed: 0, failed: 1, skipped: 0 }],
])('vitest: %s', (_, content, exitCode, counts) => {
  expect(countVitest(vitestReport(content), exitCode)).toEqual(counts);
});

test.each([
  ['all passed', { expected: 5, unexpected: 0, flaky: 0, skipped: 2 }, 0, 5, 0],
  ['one failed', { expected: 4, unexpected: 1, flaky: 0, skipped: 0 }, 1, 4, 1],
  ['one passed at the second try', { expected: 4, unexpected: 0, flaky: 1, skipped: 0 }, 0, 5, 0],
  ['a server that did not start', { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }, 1, 0, 1],
])('playwright: %s', (_, stats, exitCode, passed, failed) => {
  expect(countPlaywright({ stats }, exitCode)).toMatchObject({ passed, failed });
});

const spec = (title, status) => ({ file: 'a.spec.ts', line: 3, title, tests: [{ status }] });

test('a test that passed at the second try is named', () => {
  const specs = [spec('steady', 'expected'), spec('shaky', 'flaky')];
  expect(flakyTests({ suites: [{ suites: [{ specs }] }] })).toEqual(['flaky: a.spec.ts:3 › shaky']);
});

const ran = (fullName, failureMessages) => ({ fullName, status: 'passed', failureMessages });

test('a screen that passed at the second try is named', () => {
  const assertionResults = [ran('steady', []), ran('shaky', ['once'])];
  const report = { testResults: [{ name: 'a.test.tsx', assertionResults }] };
  expect(flakyScreens(report)).toEqual(['flaky: a.test.tsx › shaky']);
});

test('no report at all is a failure, whatever the exit code says', () => {
  expect(countVitest(undefined, 0).failed).toBe(1);
  expect(countPlaywright(undefined, 0).failed).toBe(1);
});
