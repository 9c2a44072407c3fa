import { expect, test } from 'vitest';
import { missingFromLock, withoutStandIns } from './lock-file.mjs';

test('a package for another system that the lock file lacks is described by its name', () => {
  const packages = {
    '': {},
    'node_modules/tool': {
      dev: true,
      optionalDependencies: {
        '@tool/binding-darwin-arm64': '1.0.0',
        '@tool/binding-linux-arm-musleabihf': '1.0.0',
        '@tool/binding-linux-x64-gnu': '1.0.0',
        '@tool/binding-wasm32-wasi': '^1.0.0',
      },
    },
    'node_modules/@tool/binding-linux-x64-gnu': { version: '1.0.0', integrity: 'sha512-' },
  };
  expect(Object.fromEntries(missingFromLock({ packages }))).toEqual({
    'node_modules/@tool/binding-darwin-arm64': {
      version: '1.0.0',
      cpu: ['arm64'],
      dev: true,
      optional: true,
      os: ['darwin'],
    },
    'node_modules/@tool/binding-linux-arm-musleabihf': {
      version: '1.0.0',
      cpu: ['arm'],
      dev: true,
      libc: ['musl'],
      optional: true,
      os: ['linux'],
    },
    'node_modules/@tool/binding-wasm32-wasi': {
      version: '1.0.0',
      cpu: ['wasm32'],
      dev: true,
      optional: true,
    },
  });
});

test('one that is locked beside the package, above it or at the top is not missing', () => {
  const optionalDependencies = { beside: '1.0.0', above: '1.0.0', top: '1.0.0' };
  const packages = {
    'node_modules/a/node_modules/b': { optionalDependencies },
    'node_modules/a/node_modules/b/node_modules/beside': { integrity: 'sha512-' },
    'node_modules/a/node_modules/above': { integrity: 'sha512-' },
    'node_modules/top': { version: '1.0.0' },
  };
  expect(missingFromLock({ packages })).toEqual([]);
});

test('one that was added for an earlier version is missing', () => {
  const packages = {
    'node_modules/a': { optionalDependencies: { 'a-darwin-x64': '1.0.1' } },
    'node_modules/a-darwin-x64': { version: '1.0.0', cpu: ['x64'], optional: true, os: ['darwin'] },
  };
  const [[path, entry]] = missingFromLock({ packages });
  expect([path, entry.version]).toEqual(['node_modules/a-darwin-x64', '1.0.1']);
});

test('what was added can be told apart and taken away again', () => {
  const packages = {
    'node_modules/a': { integrity: 'sha512-', optionalDependencies: { 'a-darwin-x64': '1.0.0' } },
    'node_modules/own': { link: true, optional: true },
  };
  const added = Object.fromEntries(missingFromLock({ packages }));
  expect(Object.keys(added)).toEqual(['node_modules/a-darwin-x64']);
  expect(withoutStandIns({ ...packages, ...added })).toEqual(packages);
});
