import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './root.mjs';
import { slowestFiles, slowestTests } from './slowest.mjs';

const spec = (title, duration) => ({
  file: 'a.spec.ts',
  title,
  tests: [{ results: [{ duration }] }],
});

test('the slowest files of Vitest, ten at most', () => {
  const testResults = Array.from({ length: 12 }, (_, index) => ({
    name: join(root, `server/${index}.test.ts`),
    startTime: 0,
    endTime: index * 1000,
  }));
  const lines = slowestFiles({ testResults });
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe('    11.0 s  server/11.test.ts');
});

test('the slowest tests of Playwright, those inside of groups too', () => {
  const suites = [{ specs: [spec('short', 20)], suites: [{ specs: [spec('long', 1540)] }] }];
  expect(slowestTests({ suites })).toEqual([
    '     1.5 s  a.spec.ts › long',
    '     0.0 s  a.spec.ts › short',
  ]);
});
