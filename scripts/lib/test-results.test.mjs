import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countPlaywright, countVitest, flakyTests } from './test-results.mjs';

let folder;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'meridian-counts-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function report(content) {
  const file = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

function vitestReport({ passed = 0, failed = 0, skipped = 0, files = [] }) {
  return report({
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: skipped,
    numTodoTests: 0,
    testResults: files,
  });
}

test.each([
  ['all passed', { passed: 3, skipped: 1 }, 0, { passed: 3, failed: 0, skipped: 1 }],
  ['one failed', { passed: 2, failed: 1 }, 1, { passed: 2, failed: 1, skipped: 0 }],
  ['an error outside of any test', { passed: 3 }, 1, { passed: 3, failed: 1, skipped: 0 }],
  [
    'a file that does not load',
    { passed: 3, files: [{ status: 'failed', assertionResults: [] }] },
    1,
    { passed: 3, failed: 1, skipped: 0 },
  ],
  [
    'a file with a failed test, counted once',
    { failed: 1, files: [{ status: 'failed', assertionResults: [{ status: 'failed' }] }] },
    1,
    { passed: 0, failed: 1, skipped: 0 },
  ],
])('vitest: %s', (_, content, exitCode, counts) => {
  expect(countVitest(vitestReport(content), exitCode)).toEqual(counts);
});

test.each([
  ['all passed', { expected: 5, unexpected: 0, flaky: 0, skipped: 2 }, 0, 5, 0],
  ['one failed', { expected: 4, unexpected: 1, flaky: 0, skipped: 0 }, 1, 4, 1],
  ['one passed at the second try', { expected: 4, unexpected: 0, flaky: 1, skipped: 0 }, 0, 5, 0],
  ['a server that did not start', { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }, 1, 0, 1],
])('playwright: %s', (_, stats, exitCode, passed, failed) => {
  expect(countPlaywright(report({ stats }), exitCode)).toMatchObject({ passed, failed });
});

const spec = (title, status) => ({ file: 'a.spec.ts', line: 3, title, tests: [{ status }] });

test('a test that passed at the second try is named', () => {
  const specs = [spec('steady', 'expected'), spec('shaky', 'flaky')];
  expect(flakyTests({ suites: [{ suites: [{ specs }] }] })).toEqual(['flaky: a.spec.ts:3 › shaky']);
});

test('no report at all is a failure, whatever the exit code says', () => {
  const nowhere = join(folder, 'nowhere.json');
  expect(countVitest(nowhere, 0).failed).toBe(1);
  expect(countPlaywright(nowhere, 0).failed).toBe(1);
});
