import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { LEFT_OUT_FILES, LEFT_OUT_SPECS } from './left-out.mjs';
import { root } from './root.mjs';

const args = ['ls-files', '--cached', '--others', '--exclude-standard'];
const files = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n');

test('every path of what is left out means a test that exists', () => {
  const tests = files.filter((file) => /\.test\.(ts|mjs)$/.test(file));
  const stale = LEFT_OUT_FILES.filter((path) => !tests.some((file) => file.startsWith(path)));
  expect(stale).toEqual([]);
});

test('every name of a browser test that is left out means one that exists', () => {
  const specs = LEFT_OUT_SPECS.map((name) => new RegExp(`^e2e/${name}\\.spec\\.ts$`));
  expect(specs.filter((spec) => !files.some((file) => spec.test(file)))).toEqual([]);
});
