import { expect, test } from 'vitest';
import { missingFromLock } from './lock-file.mjs';

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
    'node_modules/@tool/binding-linux-x64-gnu': {},
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
    'node_modules/a/node_modules/b/node_modules/beside': {},
    'node_modules/a/node_modules/above': {},
    'node_modules/top': {},
  };
  expect(missingFromLock({ packages })).toEqual([]);
});
