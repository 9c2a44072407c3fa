import { matchesGlob, relative } from 'node:path';
import { expect, test } from 'vitest';
import { filesUnder } from './files.mjs';
import { LEFT_OUT_FILES, LEFT_OUT_SPECS } from './left-out.mjs';
import { root } from './root.mjs';

const files = filesUnder(root).map((file) => relative(root, file));

test('every pattern of what is left out means a file that exists', () => {
  const stale = LEFT_OUT_FILES.filter((one) => !files.some((file) => matchesGlob(file, one)));
  expect(stale).toEqual([]);
});

test('every name of a browser test that is left out means one that exists', () => {
  const specs = LEFT_OUT_SPECS.map((name) => new RegExp(`^e2e/${name}\\.spec\\.ts$`));
  expect(specs.filter((spec) => !files.some((file) => spec.test(file)))).toEqual([]);
});
