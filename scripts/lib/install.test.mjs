import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unwritableCache } from './install.mjs';
import { root } from './root.mjs';

/** The words of npm 11, shortened. */
const saidBy = (code, path) => `npm warn EBADENGINE }
npm error code ${code}
npm error syscall mkdir
npm error path ${path}
npm error errno ${code}
`;

test.each([
  ['EACCES', '/srv/meridian/.npm', '/srv/meridian/.npm'],
  ['ENOENT', '/read-only/.npm', '/read-only/.npm'],
  ['ENOTDIR', '/dev/null/x/_cacache/tmp', '/dev/null/x/_cacache/tmp'],
  ['EACCES', join(root, 'node_modules'), undefined],
  ['ENOSPC', '/srv/meridian/.npm', undefined],
])('npm fails with %s at %s', (code, path, place) => {
  expect(unwritableCache(saidBy(code, path))).toBe(place);
});

test('npm fails for another reason', () => {
  expect(unwritableCache('npm error code E404\nnpm error 404 Not Found\n')).toBeUndefined();
});
