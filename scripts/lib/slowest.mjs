import { relative } from 'node:path';
import { root } from './root.mjs';

const SHOWN = 10;

/** The files of a Vitest report that took longest, as lines. */
export function slowestFiles({ testResults = [] }) {
  return linesOf(
    testResults.map(({ name, startTime, endTime }) => ({
      name: relative(root, name),
      ms: endTime - startTime,
    })),
  );
}

/** The tests of a Playwright report that took longest, as lines. */
export function slowestTests({ suites = [] }) {
  return linesOf(suites.flatMap(testsOf));
}

function testsOf({ suites = [], specs = [] }) {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests.flatMap(({ results }) =>
      results.map(({ duration }) => ({ name: `${file} › ${title}`, ms: duration })),
    ),
  );
  return [...own, ...suites.flatMap(testsOf)];
}

function linesOf(all) {
  return all
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SHOWN)
    .map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(8)} s  ${name}`);
}
