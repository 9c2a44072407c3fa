import { expect, test } from 'vitest';
import { projectFiles, read } from './tree.ts';

const OWN = 'guards/time.test.ts';
/** Restarts a database at a pace, in the long run only. */
const PACED = 'hard/kills/restarts.test.ts';

const FORBIDDEN: [what: string, pattern: RegExp][] = [
  ['a pause', /\bwaitForTimeout\(|\bsetTimeout as \w+|\bscheduler\.wait\(/],
  ['a time that is asserted', /\bexpect\([^;]*\bperformance\.now\(\)|\bexpect\(\s*ms\s*\)/],
];

test.each(FORBIDDEN)('no test depends on how quick the machine is: %s', (_, pattern) => {
  const tests = projectFiles(/\.(test|spec)\.(tsx?|mjs)$/);
  const found = tests.filter((file) => pattern.test(read(file)));
  expect(found.filter((file) => file !== OWN && file !== PACED)).toEqual([]);
});
